import { Check, SkipForward, Undo2, X, type LucideIcon } from "lucide-react";
import { memo } from "react";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { cn } from "#components/ui/cn.ts";
import { Link } from "#components/ui/link.tsx";
import { decisionNames } from "#components/words.ts";
import { isUndoable, type DecisionKind, type Entry } from "#lib/client/desk/history.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { conflictText } from "./conflict-text.ts";

const statusNames = { waiting: "Waiting", undoing: "Undoing", conflict: "Not saved" } as const;
const looks: Record<DecisionKind, { Icon: LucideIcon; tone: string }> = {
  approve: { Icon: Check, tone: "text-approve" },
  reject: { Icon: X, tone: "text-reject" },
  skip: { Icon: SkipForward, tone: "text-muted" },
};

export interface HistoryListProps {
  history: readonly Entry[];
  store: DeskStore;
  /** Shows only this many decisions without skips, and all that were not saved. */
  limit?: number;
}

/** Recent decisions with their undo. */
export function HistoryList({ history, store, limit }: HistoryListProps) {
  const some =
    limit === undefined
      ? history
      : history
          .filter(({ decision }) => decision !== "skip")
          .filter(({ status }, at) => at < limit || status === "conflict");
  if (some.length === 0)
    return (
      <p className="text-13 text-muted">
        Your decisions appear here. You can undo them until a boost bot takes the post.
      </p>
    );
  return (
    <ol className="flex flex-col">
      {some.map((entry) => (
        <Line key={entry.id} entry={entry} store={store} />
      ))}
    </ol>
  );
}

const Line = memo(function Line({ entry, store }: { entry: Entry; store: DeskStore }) {
  const { decision, status, post_id } = entry;
  const { Icon, tone } = looks[decision];
  const why = conflictText(entry.conflict);
  // "@ana@mastodon.example" → "@ana".
  const name = entry.author.replace(/(?<=.)@[^@]*$/, "");
  const note = status === "saved" ? entry.reason : statusNames[status];
  const button = (label: string, Sign: LucideIcon, run: () => void) => (
    <button
      type="button"
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-wash hover:text-text pointer-coarse:size-11 [&_svg]:size-4"
      aria-label={`${label}: ${entry.author}`}
      title={label}
      onClick={({ currentTarget }) => {
        // The button leaves with its line.
        if (currentTarget.matches(":focus-visible"))
          currentTarget.closest<HTMLElement>("[tabindex]")?.focus();
        run();
      }}
    >
      <Sign aria-hidden />
    </button>
  );
  return (
    <li
      data-decision={decision}
      data-status={status}
      className={cn(
        "flex min-w-0 items-start gap-2 rounded-md",
        status === "conflict" && "bg-warn-quiet px-2",
        status === "undoing" && "opacity-60",
      )}
    >
      <Icon
        aria-hidden
        strokeWidth={2.5}
        className={cn("mt-1.5 size-4 shrink-0", status === "conflict" ? "text-warn" : tone)}
      />
      <span className="hidden-visually">{decisionNames[decision]}: </span>
      <div className="min-w-0 flex-1 py-1 text-13">
        <p className="flex gap-1" title={[entry.author, note, entry.snippet].filter(Boolean).join("\n")}>
          <Link
            href={`/posts/${post_id}`}
            tone="plain"
            prefetch={false}
            className="max-w-1/2 shrink-0 truncate font-medium"
          >
            <bdi>{name === "" ? `#${post_id}` : name}</bdi>
          </Link>{" "}
          <bdi className="min-w-0 flex-1 truncate text-muted">
            {note ?? <EmojiText text={entry.snippet} postId={post_id} emojis={entry.emojis} />}
          </bdi>
        </p>
        {why === "" ? null : <p className="text-12 wrap-anywhere">{why}</p>}
      </div>
      {isUndoable(entry) ? button("Undo", Undo2, () => store.undo(entry)) : null}
      {status === "conflict" || entry.closed
        ? button("Remove from this list", X, () => store.dismiss(entry))
        : null}
    </li>
  );
});
