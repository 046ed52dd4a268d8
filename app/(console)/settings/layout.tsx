import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings" description="Yours, the team’s and the installation’s.">
        <SettingsTabs />
      </PageHeader>
      {children}
    </>
  );
}
