"use client";
import { BookOpen } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { CopyField } from "#components/ui/copy.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { formatDuration } from "#components/format.ts";
import { consumerTabs } from "./consumer-programs.tsx";
import { useAddress } from "./use-address.ts";

const connectSteps = {
  take: ["GET /curated/next", "reserves a post and returns it, or answers 204 when there is none."],
  ack: ["POST /curated/{id}/ack", "confirms the boost."],
  nack: ["POST /curated/{id}/nack", "returns it to the queue."],
  error: ["POST /curated/{id}/error", "removes it from the queue with a reason."],
} as const;

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
      title="How boost bots connect"
      description="Boost bots ask for posts; the queue does not push them."
      actions={
        <ButtonLink href="/docs" size="sm" icon={<BookOpen aria-hidden />}>
          API reference
        </ButtonLink>
      }
    >
      <CopyField label="Address of the API" value={`${address}/api/v1`} className="max-w-xl" />
      <dl className="mt-4 grid gap-x-4 gap-y-1.5 text-13 desk:grid-cols-[max-content_1fr]">
        {Object.entries(connectSteps).map(([name, [call, meaning]]) => (
          <div key={name} className="contents">
            <dt>
              <code className="font-mono text-12">{call}</code>
            </dt>
            <dd className="text-muted max-desk:mb-1">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-13 text-muted">
        A reservation expires after {formatDuration(reserveSeconds)}; then the post is offered again.
      </p>
      {hidePrograms ? null : (
        <details className="mt-4">
          <summary className="min-h-6 w-fit rounded-sm text-13 font-medium text-accent pointer-coarse:py-3">
            Sample programs
          </summary>
          <Tabs label="Ways to use it" tabs={consumerTabs(address, "slc_…")} className="mt-2" />
        </details>
      )}
    </Panel>
  );
}
