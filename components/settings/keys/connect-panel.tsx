"use client";
import { BookOpen } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { CopyField } from "#components/ui/copy.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { consumerTabs } from "./consumer-programs.tsx";
import { useAddress } from "./use-address.ts";

const w = words.settings;

export function ConnectPanel({
  publicUrl,
  reserveSeconds,
  hidePrograms,
}: {
  publicUrl: string;
  reserveSeconds: number;
  /** Shown beside a new key already. */
  hidePrograms: boolean;
}) {
  const address = useAddress(publicUrl);
  return (
    <Panel
      id="connect"
      title={w.connect}
      description={w.connectHint}
      actions={
        <ButtonLink href="/docs" size="sm" icon={<BookOpen aria-hidden />}>
          {w.reference}
        </ButtonLink>
      }
    >
      <CopyField label={w.baseUrl} value={`${address}/api/v1`} className="max-w-xl" />
      <dl className="mt-4 grid gap-x-4 gap-y-1.5 text-13 desk:grid-cols-[max-content_1fr]">
        {Object.entries(w.connectSteps).map(([name, [call, meaning]]) => (
          <div key={name} className="contents">
            <dt>
              <code className="font-mono text-12">{call}</code>
            </dt>
            <dd className="text-muted max-desk:mb-1">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-13 text-muted">{w.reservation(formatDuration(reserveSeconds))}</p>
      {hidePrograms ? null : (
        <details className="mt-4">
          <summary className="min-h-6 w-fit rounded-sm text-13 font-medium text-accent pointer-coarse:py-3">
            {w.readyPrograms}
          </summary>
          <Tabs label={w.languages} tabs={consumerTabs(address, "slc_…")} className="mt-2" />
        </details>
      )}
    </Panel>
  );
}
