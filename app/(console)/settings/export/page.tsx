import type { Metadata } from "next";
import { DataPanels } from "#components/settings/data/data-panels.tsx";
import { words } from "#components/words/en.ts";
import { readBackupStatus } from "#lib/backup-status.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { getRetention } from "#lib/posts/retention.ts";

export const metadata: Metadata = { title: words.settings.data.title };

export default async function ExportPage() {
  await requireRole("admin");
  return <DataPanels retention={await getRetention()} backups={readBackupStatus()} />;
}
