import type { Metadata } from "next";
import { InstallationPanels } from "#components/settings/installation/installation-panels.tsx";
import { words } from "#components/words/en.ts";
import { readBackupStatus } from "#lib/backup-status.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { getRetention } from "#lib/posts/retention.ts";

export const metadata: Metadata = { title: words.settings.installation.title };

export default async function InstallationPage() {
  await requireRole("admin");
  return <InstallationPanels retention={await getRetention()} backups={readBackupStatus()} />;
}
