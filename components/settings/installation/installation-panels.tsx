import type { BackupStatus } from "#lib/base/backup-status.ts";
import type { Retention } from "#lib/collect/retention-schema.ts";
import { BackupsPanel } from "./backups-panel.tsx";
import { RetentionPanel } from "./retention-panel.tsx";

export interface InstallationPanelsProps {
  retention: Retention;
  /** Null without nightly backups. */
  backups: BackupStatus | null;
}

export function InstallationPanels({ retention, backups }: InstallationPanelsProps) {
  return (
    <div className="space-y-6">
      <RetentionPanel retention={retention} />
      {backups ? <BackupsPanel {...backups} /> : null}
    </div>
  );
}
