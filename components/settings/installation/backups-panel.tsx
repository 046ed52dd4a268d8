import { Panel } from "#components/ui/card.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { words } from "#components/words/en.ts";
import type { BackupStatus } from "#lib/base/backup-status.ts";

const w = words.settings.installation.backups;

export function BackupsPanel({ folder, success, failure, future }: BackupStatus) {
  return (
    <Panel title={w.title} description={w.hint(folder)}>
      <dl className="grid gap-x-4 gap-y-1 text-13 desk:grid-cols-[auto_1fr]">
        <dt className="text-muted">{w.success}</dt>
        <dd>
          {success === null ? (
            w.never
          ) : (
            <>
              <RelativeTime at={success.at} /> ({w.size(success.bytes)})
            </>
          )}
        </dd>
        <dt className="text-muted">{w.failure}</dt>
        <dd className="wrap-anywhere">
          {failure === null ? (
            w.never
          ) : (
            <>
              <RelativeTime at={failure.at} />: {failure.reason}
            </>
          )}
        </dd>
        {future.length > 0 ? (
          <>
            <dt className="text-muted">{w.future}</dt>
            <dd className="wrap-anywhere">
              {future.join(", ")}: {w.futureHint}
            </dd>
          </>
        ) : null}
      </dl>
    </Panel>
  );
}
