"use client";
import { ChevronDown, ChevronRight, RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { plural } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { MoveButton } from "./move-button.tsx";

const w = words.queue;
/** As many as one call of the bounded operations takes. */
const GROUP_LIMIT = 1000;

type Group = ErrorStats["groups"][number];

/** Errors by reason: how many, since when, requeue or reject one or all. */
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

function useGroupMove(kind: "requeue" | "dismiss", said: (count: number) => string) {
  return useMutation<string, { changed: number }>(
    (reason) => apiFetch(`/curated/errors/${kind}`, { method: "POST", body: { reason, limit: GROUP_LIMIT } }),
    {
      refresh: ["/curated*", "/stats*", "/posts*"],
      onDone: ({ changed }) => notifyDone(said(changed)),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
}

function ErrorGroup({ group }: { group: Group }) {
  const [open, setOpen] = useState(false);
  const mayRequeue = useCan("admin");
  const requeue = useGroupMove("requeue", w.requeued);
  const dismiss = useGroupMove("dismiss", w.dismissed);
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
        <span className="tabular text-muted">
          {plural(group.count, words.common.post, words.common.posts)} · <RelativeTime at={group.last_at} />
        </span>
        {mayRequeue ? (
          <span className="flex gap-2">
            <Button
              size="sm"
              icon={<RotateCcw aria-hidden />}
              pending={requeue.pending}
              onClick={() => void requeue.run(group.reason)}
            >
              {w.requeueAll}
            </Button>
            <Button size="sm" pending={dismiss.pending} onClick={() => void dismiss.run(group.reason)}>
              {w.dismissAll}
            </Button>
          </span>
        ) : null}
      </div>
      {open ? (
        <ul className="mt-2 space-y-1 ps-5.5">
          {group.post_ids.map((id) => (
            <li key={id} className="flex flex-wrap items-center gap-2">
              <Link href={`/posts/${id}`} className="tabular me-auto">
                {w.post} {id}
              </Link>
              {mayRequeue ? (
                <MoveButton move="requeue" postId={id}>
                  {w.requeue}
                </MoveButton>
              ) : null}
              <MoveButton move="mark-delivered" postId={id}>
                {w.markDelivered}
              </MoveButton>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
