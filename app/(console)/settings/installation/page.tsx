import type { Metadata } from "next";
import { InstallationPanels } from "#components/settings/installation/installation-panels.tsx";
import { ServersPanel } from "#components/settings/servers/servers-panel.tsx";
import { requireRole } from "#lib/accounts/current-member.ts";
import { readBackupStatus } from "#lib/base/backup-status.ts";
import { listServers } from "#lib/collect/list-servers.ts";
import { getRetention } from "#lib/collect/retention.ts";

export const metadata: Metadata = { title: "Installation" };

/** `server` names the server whose token the form asks for. */
export default async function InstallationPage({
  searchParams,
}: {
  searchParams: Promise<{ server?: string | string[] }>;
}) {
  await requireRole("admin");
  const [retention, servers, { server }] = await Promise.all([getRetention(), listServers(), searchParams]);
  return (
    <div className="space-y-6">
      <InstallationPanels retention={retention} backups={readBackupStatus()} />
      <ServersPanel list={servers} server={typeof server === "string" ? server.slice(0, 300) : ""} />
    </div>
  );
}
