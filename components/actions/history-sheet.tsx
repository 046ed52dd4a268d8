"use client";
import {
  Ban,
  CalendarDays,
  Check,
  CircleCheck,
  Layers,
  PackageCheck,
  RotateCcw,
  SkipForward,
  SlidersHorizontal,
  StickyNote,
  Trash2,
  Undo2,
  UserX,
  X,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Sheet } from "#components/ui/dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState, Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import { outboxOf, useOutboxState } from "#lib/desk/use-outbox.ts";
import type { Action, ActionKindName, ActionList } from "#lib/actions/schema.ts";
import { titleOf } from "./title-of.ts";
import { undoAction } from "./undo-now.ts";
import { undoLast } from "./undo-store.ts";

const w = words.actions;
const PAGE = 25;
const MOST = 100;

export function HistorySheet({ onClose }: { onClose: () => void }) {
  const [limit, setLimit] = useState(PAGE);
  const { data, failure, loading, refreshing, reload } = useApi<ActionList>(`/actions?limit=${limit}`, {
    keepPrevious: true,
  });
  const items = data?.items;
  return (
    <Sheet
      open
      onOpenChange={(next) => !next && onClose()}
      title={w.title}
      description={w.hint}
      footer={
        <Button icon={<Undo2 aria-hidden />} kbd="Z" onClick={undoLast} disabled={items?.length === 0}>
          {w.undoLast}
        </Button>
      }
    >
      <Unsent />
      {failure && !items ? (
        <ErrorState
          title={w.loadFailed}
          failure={failure}
          onRetry={() => void reload()}
          retrying={refreshing}
        />
      ) : loading && !items ? (
        <SkeletonRows rows={6} columns={2} />
      ) : items?.length === 0 ? (
        <EmptyState title={w.empty}>{w.emptyHint}</EmptyState>
      ) : (
        <>
          <ol className="flex flex-col" aria-busy={refreshing}>
            {items?.map((action) => (
              <Line key={action.id} action={action} />
            ))}
          </ol>
          {data?.next_cursor != null && limit < MOST ? (
            <Button
              variant="ghost"
              className="mt-2 w-full"
              pending={refreshing}
              onClick={() => setLimit((now) => Math.min(MOST, now + PAGE))}
            >
              {w.more}
            </Button>
          ) : null}
        </>
      )}
    </Sheet>
  );
}

/** Decisions of the desk that wait in this browser. */
function Unsent() {
  const { id } = useMember();
  const { waiting } = useOutboxState(outboxOf(id));
  if (waiting === 0) return null;
  return (
    <Notice tone="info">
      <span className="font-medium">{w.unsent(waiting)}.</span> {w.unsentHint}
    </Notice>
  );
}

const icons: Record<ActionKindName, LucideIcon> = {
  decision: Check,
  note: StickyNote,
  batch: Layers,
  errors: RotateCcw,
  delivery: PackageCheck,
  settings: SlidersHorizontal,
  stream: SlidersHorizontal,
  topical_tag: CalendarDays,
  check_setting: SlidersHorizontal,
  classify_rule: SlidersHorizontal,
  classify_word: SlidersHorizontal,
  block: Ban,
  unblock: CircleCheck,
  block_import: Ban,
  reject_blocked: X,
  opt_out: UserX,
  deletion: Trash2,
};
const decisionIcons: Record<string, LucideIcon> = { approve: Check, reject: X, skip: SkipForward };

function Line({ action }: { action: Action }) {
  const [pending, setPending] = useState(false);
  const title = titleOf(action);
  const Icon = decisionIcons[String(action.details["decision"])] ?? icons[action.kind];
  const undo = async () => {
    setPending(true);
    await undoAction(action);
    setPending(false);
  };
  return (
    <li
      data-action={action.id}
      data-kind={action.kind}
      className={cn(
        "flex min-w-0 items-start gap-2.5 border-b border-line/60 py-2.5",
        action.undone_at !== null && "text-muted",
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 text-13">
        <p className={cn("font-medium wrap-anywhere", action.undone_at !== null && "line-through")}>
          {title}
        </p>
        {action.post ? (
          <Link href={`/posts/${action.post.id}`} tone="plain" prefetch={false} className="block truncate">
            <bdi className="me-1">{action.post.author_account}</bdi>{" "}
            <bdi className="text-muted">{action.post.snippet}</bdi>
          </Link>
        ) : null}
        {action.limits.map(({ reason, detail }) => (
          <p key={reason} className="text-12 text-warn">
            {detail}
          </p>
        ))}
        <p className="text-12 text-muted">
          {action.undone_at === null ? null : `${w.undoneAt} · `}
          <RelativeTime at={action.undone_at ?? action.at} />
          {action.this_session ? null : ` · ${w.elsewhere}`}
        </p>
      </div>
      {action.undoable ? (
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 aria-hidden />}
          pending={pending}
          aria-label={w.undo(title)}
          onClick={() => void undo()}
        >
          {words.common.undo}
        </Button>
      ) : null}
    </li>
  );
}
