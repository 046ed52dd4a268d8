"use client";
import { plural } from "#components/format.ts";
import { decisionNames } from "#components/words.ts";
import { Check, SkipForward, Undo2, X, type LucideIcon } from "lucide-react";
import { memo } from "react";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { cn } from "#components/ui/cn.ts";
import { Link } from "#components/ui/link.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { isBatch, withBatches, type Batch } from "#lib/client/desk/batches.ts";
import { isUndoable, type HistoryEntry, type DecisionKind } from "#lib/client/desk/history.ts";
import type { DeskState } from "#lib/client/desk/state.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { conflictText } from "./conflict-text.ts";
import { undoBatchAtDesk } from "./use-desk-undo.ts";

const historyStatus = { waiting: "Waiting", undoing: "Undoing", conflict: "Not saved" } as const;

const changeTo = { approve: "Approve instead", reject: "Reject instead" } as const;

const icons: Record<DecisionKind, LucideIcon> = { approve: Check, reject: X, skip: SkipForward };
const tones: Record<DecisionKind, string> = {
  approve: "text-approve",
  reject: "text-reject",
  skip: "text-muted",
};

export interface HistoryListProps {
  state: Pick<DeskState, "history" | "batches">;
  store: DeskStore;
}

/** One line each, so that five are visible at the side. */
export function HistoryList({ state: { history, batches }, store }: HistoryListProps) {
  const lines = withBatches(history, batches);
  if (lines.length === 0)
    return (
      <p className="text-13 text-muted">
        Your decisions appear here. You can undo them until a boost bot takes the post.
      </p>
    );
  return (
    <>
      <ol className="flex flex-col">
        {lines.map((line) =>
          isBatch(line) ? (
            <BatchLine key={line.id} batch={line} store={store} />
          ) : (
            <Line key={line.id} entry={line} store={store} />
          ),
        )}
      </ol>
    </>
  );
}

const act =
  "inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-wash [&_svg]:size-4 pointer-coarse:size-11";
const lineClass = "group flex min-w-0 items-start gap-2 rounded-md";

function DecisionIcon({ decision, isConflict = false }: { decision: DecisionKind; isConflict?: boolean }) {
  const Icon = icons[decision];
  return (
    <>
      <Icon
        aria-hidden
        strokeWidth={2.5}
        className={cn("mt-1.5 size-4 shrink-0", isConflict ? "text-warn" : tones[decision])}
      />
      <VisuallyHidden>{decisionNames[decision]}: </VisuallyHidden>
    </>
  );
}

function UndoButton({ name, onUndo }: { name: string; onUndo: () => void }) {
  return (
    <button
      type="button"
      className={cn(act, "text-muted hover:text-text")}
      aria-label={`Undo: ${name}`}
      title="Undo"
      onClick={onUndo}
    >
      <Undo2 aria-hidden />
    </button>
  );
}

function BatchLine({ batch, store }: { batch: Batch; store: DeskStore }) {
  const { name, count, decision, status } = batch;
  const text = plural(count, "post", "posts");
  return (
    <li
      data-batch={batch.id}
      data-status={status}
      className={cn(lineClass, status === "undoing" && "opacity-60")}
    >
      <DecisionIcon decision={decision} />
      <p className="min-w-0 flex-1 truncate py-1 text-13" title={`${name} ${text}`.trim()}>
        {name === "" ? null : (
          <>
            <bdi className="font-medium">{shortName(name)}</bdi>{" "}
          </>
        )}
        <span className="text-muted">{text}</span>
      </p>
      {status === "saved" ? (
        <UndoButton name={name === "" ? text : name} onUndo={() => undoBatchAtDesk(store, batch.id)} />
      ) : null}
    </li>
  );
}

const Line = memo(function Line({ entry, store }: { entry: HistoryEntry; store: DeskStore }) {
  const open = isUndoable(entry);
  const other = entry.decision === "approve" ? "reject" : "approve";
  const Other = icons[other];
  const why = conflictText(entry.conflict);
  const said = entry.status === "saved" ? entry.reason : historyStatus[entry.status];
  return (
    <li
      data-decision={entry.decision}
      data-status={entry.status}
      className={cn(
        lineClass,
        entry.status === "conflict" && "bg-warn-quiet px-2",
        entry.status === "undoing" && "opacity-60",
      )}
    >
      <DecisionIcon decision={entry.decision} isConflict={entry.status === "conflict"} />
      <div className="min-w-0 flex-1 py-1 text-13">
        {/* The snippet is cut off at its own end, which is the left one in Arabic. */}
        <p className="flex gap-1" title={[entry.author, said, entry.snippet].filter(Boolean).join("\n")}>
          <Link
            href={`/posts/${entry.post_id}`}
            tone="plain"
            prefetch={false}
            className="max-w-1/2 shrink-0 truncate font-medium"
          >
            <bdi>{entry.author === "" ? `#${entry.post_id}` : shortName(entry.author)}</bdi>
          </Link>{" "}
          <bdi className="min-w-0 flex-1 truncate text-muted">
            {said ?? <EmojiText text={entry.snippet} postId={entry.post_id} emojis={entry.emojis} />}
          </bdi>
        </p>
        {why === "" ? null : <p className="text-12 wrap-anywhere">{why}</p>}
      </div>
      {open ? (
        <>
          {entry.decision === "skip" ? null : (
            <button
              type="button"
              className={cn(act, "w-0 overflow-hidden text-muted group-hover:w-7 focus-visible:w-7")}
              aria-label={`${changeTo[other]}: ${entry.author}`}
              title={changeTo[other]}
              onClick={() => store.changeDecision(entry, other)}
            >
              <Other aria-hidden />
            </button>
          )}
          <UndoButton name={entry.author} onUndo={() => store.undo(entry)} />
        </>
      ) : entry.status === "conflict" || entry.closed ? (
        <button
          type="button"
          className={cn(act, "text-muted hover:text-text")}
          aria-label={`Remove from this list: ${entry.author}`}
          title="Remove from this list"
          onClick={() => store.dismiss(entry)}
        >
          <X aria-hidden />
        </button>
      ) : null}
    </li>
  );
});

/** Without the server: "@ana" of "@ana@mastodon.example". */
function shortName(name: string): string {
  return name.replace(/(?<=.)@[^@]*$/, "");
}
