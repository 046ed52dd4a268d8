"use client";
import { ChevronDown, ChevronRight, RotateCcw } from "lucide-react";
import { useState } from "react";
import { Sparkline } from "#components/charts/sparkline.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, plural } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { ErrorGroupDialog } from "./error-group-dialog.tsx";
import { MoveButton } from "./move-button.tsx";

const w = words.queue;

type Group = ErrorStats["groups"][number];

export function ErrorGroups({ errors }: { errors: ErrorStats }) {
  return (
    <Panel id="errors" title={w.errorsTitle} description={w.errorsHint} flush>
      {errors.groups.length === 0 ? (
        <EmptyState title={w.errorsEmpty} className="py-8">
          {w.errorsEmptyHint}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {errors.groups.map((group) => (
            <ErrorGroup key={group.reason} group={group} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ErrorGroup({ group }: { group: Group }) {
  const [open, setOpen] = useState(false);
  const mayManage = useCan("admin");
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li className="px-4 py-2.5 text-13">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 flex-1 basis-64 items-start gap-1.5 rounded-sm text-start hover:text-text pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          <Chevron aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <span className="min-w-0 font-medium wrap-anywhere">{group.reason}</span>
        </button>
        <Trend trend={group.trend} />
        <span className="tabular text-muted">
          {plural(group.count, words.common.post, words.common.posts)} · <RelativeTime at={group.last_at} />
        </span>
        {mayManage ? (
          <span className="flex gap-2">
            <ErrorGroupDialog
              kind="requeue"
              reason={group.reason}
              count={group.count}
              icon={<RotateCcw aria-hidden />}
            />
            <ErrorGroupDialog kind="dismiss" reason={group.reason} count={group.count} />
          </span>
        ) : null}
      </div>
      {open ? <GroupPosts group={group} /> : null}
    </li>
  );
}

function Trend({ trend }: { trend: number[] }) {
  const all = trend.reduce((sum, n) => sum + n, 0);
  const label = w.trend(formatCount(all), formatCount(trend.at(-1) ?? 0));
  return (
    <span title={label} className="inline-flex">
      <Sparkline label={label} values={trend} tone="reject" className="w-20" />
    </span>
  );
}

function GroupPosts({ group }: { group: Group }) {
  const mayManage = useCan("admin");
  const mayReview = useCan("reviewer");
  const rest = group.count - group.post_ids.length;
  return (
    <ul className="mt-2 space-y-1 ps-5.5">
      {group.post_ids.map((id) => (
        <li key={id} className="flex flex-wrap items-center gap-2">
          <Link href={`/posts/${id}`} className="tabular me-auto">
            {w.post} {id}
          </Link>
          {mayManage ? (
            <MoveButton move="requeue" postId={id}>
              {w.requeue}
            </MoveButton>
          ) : null}
          {mayReview ? (
            <>
              <MoveButton move="mark-delivered" postId={id}>
                {w.markDelivered}
              </MoveButton>
              <MoveButton move="reject" postId={id}>
                {w.dismiss}
              </MoveButton>
            </>
          ) : null}
        </li>
      ))}
      {rest > 0 ? <li className="text-muted">{w.more(formatCount(rest))}</li> : null}
    </ul>
  );
}
