import type { Metadata } from "next";
import { formatSize } from "#components/format.ts";
import { DefinitionList, Panel } from "#components/ui/card.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { version } from "#lib/base/http/health.ts";
import { readBackupStatus, type BackupStatus } from "#lib/base/backup-status.ts";
import { listServers } from "#lib/collect/streams.ts";
import { retention } from "#lib/collect/retention.ts";
import { RetentionPanel } from "./retention-panel.tsx";
import { ServersPanel } from "./servers-panel.tsx";

export const metadata: Metadata = { title: "Installation" };

export default async function InstallationPage() {
  const { role } = await requireMember();
  if (role !== "admin") return <p>Only admins see the installation.</p>;
  const [days, servers, backups] = await Promise.all([retention.read(), listServers(), readBackupStatus()]);
  return (
    <div className="space-y-6">
      <RetentionPanel days={days} deliveredDays={env().RETENTION_DAYS} />
      {backups ? <BackupsPanel {...backups} /> : null}
      <ServersPanel servers={servers} />
      <Panel title="Version">
        <p className="text-13">Sluice {version}</p>
      </Panel>
    </div>
  );
}

function BackupsPanel({ folder, success, failure }: BackupStatus) {
  const last = success && (
    <>
      <RelativeTime at={success.at} /> ({formatSize(success.bytes)})
    </>
  );
  const failed = failure && (
    <>
      <RelativeTime at={failure.at} />: {failure.reason}
    </>
  );
  return (
    <Panel
      title="Nightly backups"
      description={`In ${folder}. Settings of the server change the folder and the number kept.`}
    >
      <DefinitionList
        items={[
          { term: "Last backup", value: last ?? "None" },
          { term: "Last failure", value: failed ?? "None" },
        ]}
      />
    </Panel>
  );
}
