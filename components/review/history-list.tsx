"use client";
import { Check, ScanSearch, SkipForward, Undo2, X, type LucideIcon } from "lucide-react";
import { memo } from "react";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { cn } from "#components/ui/cn.ts";
import { Link } from "#components/ui/link.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import * as words from "#components/words/desk.ts";
import { isUndoable, type HistoryEntry, type DecisionKind } from "#lib/desk/history.ts";
import type { DeskStore } from "#lib/desk/store.ts";
import { adviceCount, adviceLine } from "#components/post/advice-words.ts";
import { conflictText } from "./conflict-text.ts";

const icons: Record<DecisionKind, LucideIcon> = { approve: Check, reject: X, skip: SkipForward };
const tones: Record<DecisionKind, string> = {
  approve: "text-approve",
  reject: "text-reject",
  skip: "text-muted",
};

export function HistoryList({ entries, store }: { entries: readonly HistoryEntry[]; store: DeskStore }) {
  if (entries.length === 0) return <p className="text-13 text-muted">{words.review.historyEmpty}</p>;
  const count = adviceCount(entries);
  return (
    <>
      {count === null ? null : <p className="pb-1 text-12 text-muted">{count}</p>}
      <ol className="flex flex-col">
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} store={store} />
        ))}
      </ol>
    </>
  );
}

const act =
  "inline-flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-wash [&_svg]:size-4 pointer-coarse:size-11";

const Line = memo(function Line({ entry, store }: { entry: HistoryEntry; store: DeskStore }) {
  const Icon = icons[entry.decision];
  const open = isUndoable(entry);
  const other = entry.decision === "approve" ? "reject" : "approve";
  const Other = icons[other];
  const why = conflictText(entry.conflict);
  const advice = adviceLine(entry);
  const said = entry.status === "saved" ? entry.reason : words.review.historyStatus[entry.status];
  return (
    <li
      data-decision={entry.decision}
      data-status={entry.status}
      className={cn(
        "group flex min-w-0 items-start gap-2 rounded-md py-1.5",
        entry.status === "conflict" && "bg-warn-quiet px-2",
        entry.status === "undoing" && "opacity-60",
      )}
    >
      <Icon
        aria-hidden
        strokeWidth={2.5}
        className={cn(
          "mt-0.5 size-4 shrink-0",
          entry.status === "conflict" ? "text-warn" : tones[entry.decision],
        )}
      />
      <div className="min-w-0 flex-1 text-13">
        <VisuallyHidden>{words.review.decided[entry.decision]}: </VisuallyHidden>
        <Link
          href={`/posts/${entry.post_id}`}
          tone="plain"
          prefetch={false}
          dir="auto"
          className="block truncate font-medium"
          title={entry.snippet}
        >
          {entry.author === "" ? `#${entry.post_id}` : entry.author}
        </Link>
        <span dir="auto" className="block truncate text-12 text-muted">
          {said ?? <EmojiText text={entry.snippet} postId={entry.post_id} emojis={entry.emojis} />}
        </span>
        {advice === null ? null : (
          <span data-advice className="flex items-start gap-1 text-12">
            <ScanSearch aria-hidden className="mt-0.5 size-3 shrink-0 text-muted" />
            <span className="min-w-0">{advice}</span>
          </span>
        )}
        {why === "" ? null : <span className="block text-12 wrap-anywhere">{why}</span>}
      </div>
      {open ? (
        <>
          {entry.decision === "skip" ? null : (
            <button
              type="button"
              className={cn(act, "w-0 overflow-hidden text-muted group-hover:w-8 focus-visible:w-8")}
              aria-label={`${words.review.changeTo[other]}: ${entry.author}`}
              title={words.review.changeTo[other]}
              onClick={() => store.changeDecision(entry, other)}
            >
              <Other aria-hidden />
            </button>
          )}
          <button
            type="button"
            className={cn(act, "text-muted hover:text-text")}
            aria-label={`${words.review.undo}: ${entry.author}`}
            title={words.review.undo}
            onClick={() => store.undo(entry)}
          >
            <Undo2 aria-hidden />
          </button>
        </>
      ) : entry.status === "conflict" || entry.closed ? (
        <button
          type="button"
          className={cn(act, "text-muted hover:text-text")}
          aria-label={`${words.review.dismiss}: ${entry.author}`}
          title={words.review.dismiss}
          onClick={() => store.dismiss(entry)}
        >
          <X aria-hidden />
        </button>
      ) : null}
    </li>
  );
});
