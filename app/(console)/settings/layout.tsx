import type { ReactNode } from "react";
import { SettingsTabs } from "#components/settings/settings-tabs.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";

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
