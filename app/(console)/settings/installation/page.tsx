import type { Metadata } from "next";
import { BackupsPanel } from "#components/settings/installation/backups-panel.tsx";
import { RetentionPanel } from "#components/settings/installation/retention-panel.tsx";
import { ServersPanel } from "./servers-panel.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
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
  const { role } = await requireMember();
  if (role !== "admin") return <p>Only admins see the installation.</p>;
  const [retention, servers, { server }] = await Promise.all([getRetention(), listServers(), searchParams]);
  const backups = readBackupStatus();
  return (
    <div className="space-y-6">
      <RetentionPanel retention={retention} />
      {backups ? <BackupsPanel {...backups} /> : null}
      <ServersPanel servers={servers.items} server={typeof server === "string" ? server.slice(0, 300) : ""} />
    </div>
  );
}
