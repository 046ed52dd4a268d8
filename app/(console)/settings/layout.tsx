import type { ReactNode } from "react";
import { SettingsTabs } from "#components/settings/settings-tabs.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title={words.settings.title} description={words.settings.description}>
        <SettingsTabs />
      </PageHeader>
      {children}
    </>
  );
}
