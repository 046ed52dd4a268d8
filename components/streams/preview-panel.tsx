"use client";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { reasonName } from "#components/statistics/reason-name.ts";
import { Button } from "#components/ui/button.tsx";
import { DefinitionList } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { StreamPreview } from "#lib/streams/preview-schema.ts";
import { PreviewPosts } from "./preview-posts.tsx";

const w = words.streamPreview;

export interface PreviewPanelProps {
  host: string;
  pending: boolean;
  preview: StreamPreview | undefined;
  /** The form was changed since. */
  isStale: boolean;
  onUse: (host: string) => void;
}

export function PreviewPanel({ host, pending, preview, isStale, onUse }: PreviewPanelProps) {
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On phones it is below the fold, or above it when a setting was changed.
    if (answer.current?.firstElementChild && !isInView(answer.current))
      answer.current.scrollIntoView({ block: "start" });
  }, [pending, preview]);
  return (
    <div className="space-y-3">
      <div ref={answer} aria-live="polite" className="scroll-mt-2 space-y-3">
        {pending ? <p className="text-13 text-muted">{w.checking(host)}…</p> : null}
        {isStale && !pending ? <p className="text-13 text-muted">{w.changed}</p> : null}
        {preview === undefined || pending ? null : <Verdict preview={preview} onUse={onUse} />}
      </div>
      {preview === undefined || pending ? null : (
        <>
          {preview.works || preview.software !== null ? <Facts preview={preview} /> : null}
          {preview.works ? <PreviewPosts preview={preview} /> : null}
        </>
      )}
    </div>
  );
}

function isInView(element: Element): boolean {
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 1, bottom - 1].every((y) => element.contains(document.elementFromPoint(left + 1, y)));
}

function Verdict({ preview, onUse }: Pick<PreviewPanelProps, "onUse"> & { preview: StreamPreview }) {
  const { problem, suggested_instance: suggested, existing_stream_id: existing } = preview;
  if (existing !== null) {
    return (
      <Notice tone="warn" icon={<TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />}>
        {w.exists} <Link href={`/streams/${existing}`}>{w.openExisting}</Link>
      </Notice>
    );
  }
  if (problem === null) {
    return (
      <Notice tone="approve" icon={<CircleCheck aria-hidden className="mt-px size-4 shrink-0" />}>
        <p className="font-medium wrap-anywhere">{w.works(preview.hashtag, preview.instance)}</p>
        {isAllKnown(preview) ? <p>{w.onlyKnown}</p> : null}
      </Notice>
    );
  }
  const isToken = problem.code === "needs_token" || problem.code === "token_refused";
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />}
      action={
        suggested === null ? undefined : (
          <Button size="sm" onClick={() => onUse(suggested)}>
            {w.useSuggested(suggested)}
          </Button>
        )
      }
    >
      <p className="font-medium wrap-anywhere">{problem.message}</p>
      <p>
        {w.steps[problem.code]}{" "}
        {isToken ? (
          <Link href={`/settings/servers?server=${encodeURIComponent(preview.instance)}`}>{w.setToken}</Link>
        ) : null}
      </p>
    </Notice>
  );
}

function isAllKnown({ known, read, left_out: leftOut }: StreamPreview): boolean {
  return known > 0 && known + Object.values(leftOut).reduce((sum, count) => sum + count, 0) === read;
}

function Facts({ preview }: { preview: StreamPreview }) {
  const { software, version, posts_per_day: rate, left_out: leftOut, known, read, works } = preview;
  const entries = Object.entries(leftOut);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const reasons = entries.map(([reason, count]) => `${reasonName(reason)}: ${count}`);
  const items = [
    {
      term: w.software,
      value: software === null ? w.unknownSoftware : `${software} ${version ?? ""}`.trim(),
    },
    ...(works
      ? [
          { term: w.token, value: preview.has_token ? w.tokenStored : w.tokenNotNeeded },
          { term: w.rate, value: rate === null ? w.rateUnknown : w.rateOf(rate) },
        ]
      : []),
    ...(total > 0
      ? [{ term: w.leftOut, value: `${w.leftOutCount(total, read)} (${reasons.join(", ")})` }]
      : []),
    ...(known > 0 ? [{ term: w.known, value: w.knownCount(known, read) }] : []),
  ];
  return <DefinitionList items={items} />;
}
