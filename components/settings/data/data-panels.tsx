import { Download } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { words } from "#components/words/en.ts";
import type { BackupStatus } from "#lib/backup-status.ts";
import type { Retention } from "#lib/posts/retention-schema.ts";
import { BackupsPanel } from "./backups-panel.tsx";
import { RetentionPanel } from "./retention-panel.tsx";

const w = words.settings.data;

const tables = [
  ["/api/v1/reblog-controls/blocked-users.csv", w.tables.blockedUsers],
  ["/api/v1/reblog-controls/blocked-hashtags.csv", w.tables.blockedHashtags],
  ["/api/v1/review/log.csv", w.tables.reviewLog],
  ["/api/v1/audit.csv", w.tables.auditLog],
] as const;

export interface DataPanelsProps {
  retention: Retention;
  /** Null without nightly backups. */
  backups: BackupStatus | null;
}

export function DataPanels({ retention, backups }: DataPanelsProps) {
  return (
    <div className="space-y-6">
      <RetentionPanel retention={retention} />
      {backups ? <BackupsPanel {...backups} /> : null}
      <Panel
        title={w.everything}
        description={w.everythingHint}
        actions={
          <a href="/api/v1/export" download className={buttonClass("primary")}>
            <Download aria-hidden />
            {w.download}
          </a>
        }
      >
        <ul className="list-disc ps-5 text-13 text-muted marker:text-line-strong">
          {w.parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
        <p className="mt-3 text-13">
          {w.bringBack} <Link href="/blocking">{words.filters.title}</Link>
        </p>
      </Panel>
      <Panel title={w.tablesTitle} description={w.tablesHint} flush>
        <ul className="divide-y divide-line">
          {tables.map(([href, name]) => (
            <li key={href} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-13">
              <span className="min-w-0 flex-1">{name}</span>
              <a
                href={href}
                download
                aria-label={`${words.common.exportCsv}: ${name}`}
                className={buttonClass("quiet", "sm")}
              >
                <Download aria-hidden />
                {words.common.exportCsv}
              </a>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
