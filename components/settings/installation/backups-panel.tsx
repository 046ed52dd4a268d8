import { Panel } from "#components/ui/card.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { BackupStatus } from "#lib/base/backup-status.ts";

export function BackupsPanel({ folder, success, failure }: BackupStatus) {
  return (
    <Panel
      title="Nightly backups"
      description={`In ${folder}. Settings of the server change the folder and the number kept.`}
    >
      <dl className="grid gap-x-4 gap-y-1 text-13 desk:grid-cols-[auto_1fr]">
        <dt className="text-muted">Last backup</dt>
        <dd>
          {success === null ? (
            "None"
          ) : (
            <>
              <RelativeTime at={success.at} /> ({(success.bytes / 1_000_000).toFixed(1)} MB)
            </>
          )}
        </dd>
        <dt className="text-muted">Last failure</dt>
        <dd className="wrap-anywhere">
          {failure === null ? (
            "None"
          ) : (
            <>
              <RelativeTime at={failure.at} />: {failure.reason}
            </>
          )}
        </dd>
      </dl>
    </Panel>
  );
}
