"use client";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from "react";
import { DeskKeyMap } from "#components/shell/key-context.tsx";
import { coverOf } from "#components/post/covered.ts";
import { useCan, useMember, useReasonsInUse } from "#components/shell/member-context.tsx";
import { usePageKeys, type KeySection } from "#components/shell/key-host.tsx";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import {
  actionWords,
  deskKeys,
  isDialogOpen,
  isTyping,
  keySign,
  readPress,
  type DeskKeys,
  type Press,
} from "#lib/client/desk/keys.ts";
import { positionAfter, readListPress, type ListPress } from "#lib/client/desk/list-keys.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import { outboxOf } from "#lib/client/desk/shared-outbox.ts";
import type { Post } from "#lib/review/post-schema.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { BatchDialog, BulkBar, type BatchQuestion } from "./bulk-bar.tsx";
import { useListState } from "./list-state.ts";
import { PostRow } from "./post-row.tsx";
import { PostTile } from "./post-tile.tsx";
import { isUnseen, SeenPictures } from "./seen-pictures.ts";
import { countBatch, undoLast, useDecisions, type BatchOrder, type Verdict } from "./use-decisions.ts";

/** Larger batches ask for confirmation. */
const MAX_WITHOUT_QUESTION = 10;

export interface PostListProps {
  view: "grid" | "list";
  posts: readonly Post[];
  preferences: DeskPreferences;
  /** Shown if there are no posts. Keys still work, so that a batch that emptied the page can be undone. */
  empty: ReactNode;
}

/**
 * A page of posts as grid or list. Keys and buttons decide on the selection, else on the focused post. Another page or
 * filter is another list, by its key.
 */
export function PostList({ view, posts, preferences, empty }: PostListProps) {
  const mayReview = useCan("reviewer");
  const router = useRouter();
  const reasons = useReasonsInUse();
  const { cover } = preferences;
  const keys = preferences.keys_on ? deskKeys : null;
  const ids = useMemo(() => posts.map(({ id }) => id), [posts]);
  const [state, act] = useListState(ids);
  const [seenPosts] = useState(() => new Set<number>());
  const [question, setQuestion] = useState<BatchQuestion | null>(null);
  const { decide, pending } = useDecisions(posts);
  const root = useRef<HTMLDivElement>(null);

  useRefreshAfterDesk(mayReview);

  // Stable functions, so that the memoised items render only when their own post changes.
  const [handlers] = useState(() => ({
    onTabStop: (id: number) => act({ do: "go", id }),
    onReveal: (id: number) => act({ do: "reveal", id }),
    onToggle: (id: number, range: boolean) =>
      act(range ? { do: "extend", from: id, to: id } : { do: "toggle", id }),
  }));

  const elementOf = (id: number) => root.current?.querySelector<HTMLElement>(`[data-stop="${id}"]`) ?? null;
  const focusedId = (): number | null => {
    const element = document.activeElement?.closest<HTMLElement>("[data-stop]");
    return element && root.current?.contains(element) ? Number(element.dataset.stop) : null;
  };
  const columns = () => {
    const top = (id: number) => elementOf(id)?.getBoundingClientRect().top;
    const first = ids[0] === undefined ? undefined : top(ids[0]);
    const next = ids.findIndex((id) => top(id) !== first);
    return next > 0 ? next : Math.max(1, ids.length);
  };

  // The focused element may disappear with its post.
  const isInside = useRef(false);
  useEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    const stop = root.current?.querySelector<HTMLElement>('[data-stop][tabindex="0"]');
    (stop ?? root.current)?.focus();
  }, [ids]);

  const run = async (order: BatchOrder, as_of?: string) => {
    if (await decide(order, as_of)) act({ do: "select", ids: [] });
  };
  const orderOf = (decision: Verdict, chosen: readonly Post[], reason?: number): BatchOrder => ({
    decision,
    post_ids: chosen.map(({ id }) => id),
    shown: chosen.map(({ id, approved, version }) => ({ id, approved, version })),
    ...(reason === undefined ? {} : { reject_reason: reason }),
  });
  const decideSelected = async (decision: Verdict, reason?: number) => {
    if (pending) return;
    const chosen = posts.filter((post) => state.selected.has(post.id));
    const seen = chosen.filter((post) => decision === "reject" || !isUnseen(post, seenPosts));
    const order = orderOf(decision, seen, reason);
    const unseen = chosen.length - seen.length;
    if (seen.length === 0) return notifyUnseen();
    if (unseen === 0 && seen.length <= MAX_WITHOUT_QUESTION) return run(order);
    try {
      setQuestion({ order, unseen, counted: await countBatch(order) });
    } catch (thrown) {
      notifyFailed("No posts were changed", asFailure(thrown));
    }
  };
  const decideOne = (post: Post, decision: Verdict, reason?: number) => {
    if (decision === "approve" && isUnseen(post, seenPosts)) {
      if (coverOf(post, cover) === "off" || state.revealed.has(post.id)) return notifyUnseen();
      act({ do: "reveal", id: post.id });
      return notifyInfo("Uncovered: look at it, then approve again");
    }
    void decide(orderOf(decision, [post], reason));
  };

  const onList = (press: ListPress, from: number | null) => {
    if ("move" in press) {
      const rtl = getComputedStyle(document.documentElement).direction === "rtl";
      const shape = { count: ids.length, columns: columns(), rtl };
      const to =
        from === null ? state.tabStop : (ids[positionAfter(press.move, ids.indexOf(from), shape)] ?? null);
      if (to === null) return;
      elementOf(to)?.focus();
      if (press.extend && mayReview && from !== null) act({ do: "extend", from, to });
    } else if (from !== null) {
      if (press.act === "open_page") router.push(`/posts/${from}`);
      else if (mayReview) handlers.onToggle(from, press.act === "select_range");
    }
  };
  const onDesk = (press: Press, post: Post | undefined): boolean => {
    const decideHere = (decision: Verdict, reason?: number) => {
      if (!mayReview) return false;
      if (state.selected.size > 0) void decideSelected(decision, reason);
      else if (post) decideOne(post, decision, reason);
      else return false;
      return true;
    };
    if ("reason" in press) {
      const reason = reasons[press.reason - 1];
      return reason !== undefined && decideHere("reject", reason.id);
    }
    switch (press.action) {
      case "approve":
      case "reject":
        return decideHere(press.action);
      case "undo":
        undoLast();
        return true;
      case "open":
        if (post) window.open(post.url ?? post.post_id, "_blank", "noopener,noreferrer");
        return post !== undefined;
      case "reveal":
        if (post) act({ do: "reveal", id: post.id });
        return post !== undefined;
      default:
        return false;
    }
  };
  /** List keys come before desk keys, because K means both "previous" and "checks". */
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (isTyping(target) || isDialogOpen()) return;
    const from = focusedId();
    const place = from !== null ? "post" : target === document.body ? "page" : "control";
    const press = readListPress(event, keys !== null, place);
    // A link or button keeps Space and Enter.
    const isForControl =
      (event.key === " " || event.key === "Enter") &&
      target instanceof HTMLElement &&
      target.matches("button, a, input");
    if (press && !isForControl) {
      event.preventDefault();
      return onList(press, from);
    }
    const desk = readPress(event, keys);
    const post = posts.find(({ id }) => id === from);
    if (desk && onDesk(desk, post)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  usePageKeys(() => [listKeys(keys, mayReview ? reasons : null)]);

  const Item = view === "grid" ? PostTile : PostRow;
  return (
    <DeskKeyMap value={mayReview ? keys : null}>
      <SeenPictures value={seenPosts}>
        <div
          ref={root}
          tabIndex={-1}
          onFocus={() => (isInside.current = true)}
          onBlur={({ relatedTarget }) => {
            if (relatedTarget !== null) isInside.current = root.current?.contains(relatedTarget) === true;
          }}
          className="flex flex-col gap-3 focus-visible:outline-none"
        >
          {mayReview && ids.length > 0 ? (
            <BulkBar
              ids={ids}
              selected={state.selected}
              pending={pending}
              onSelect={(chosen) => act({ do: "select", ids: chosen })}
              onDecide={(decision) => void decideSelected(decision)}
            />
          ) : null}
          {ids.length === 0 ? (
            empty
          ) : (
            <ul
              aria-label="Posts"
              className={
                view === "grid"
                  ? "grid grid-cols-1 gap-3 min-[22rem]:grid-cols-2 wide:grid-cols-4 min-[76rem]:grid-cols-5"
                  : "rounded-lg border border-line bg-surface"
              }
            >
              {posts.map((post) => (
                <Item
                  key={post.id}
                  post={post}
                  cover={cover}
                  selected={state.selected.has(post.id)}
                  isTabStop={state.tabStop === post.id}
                  revealed={state.revealed.has(post.id)}
                  onTabStop={handlers.onTabStop}
                  onReveal={handlers.onReveal}
                  onToggle={mayReview ? handlers.onToggle : undefined}
                />
              ))}
            </ul>
          )}
        </div>
        {question ? (
          <BatchDialog
            question={question}
            onConfirm={() => {
              setQuestion(null);
              void run(question.order, question.counted.as_of);
            }}
            onClose={() => setQuestion(null)}
          />
        ) : null}
      </SeenPictures>
    </DeskKeyMap>
  );
}

function notifyUnseen(): void {
  notifyInfo("See the pictures first", "A list never approves pictures that are covered or were not loaded.");
}

/** Refreshes the page when the outbox has sent the decisions of the desk. */
function useRefreshAfterDesk(mayReview: boolean): void {
  const { id } = useMember();
  const router = useRouter();
  useEffect(() => {
    if (!mayReview) return;
    const outbox = outboxOf(id);
    let wasWaiting = outbox.getState().waiting > 0;
    return outbox.subscribe(() => {
      const isWaiting = outbox.getState().waiting > 0;
      if (wasWaiting && !isWaiting) router.refresh();
      wasWaiting = isWaiting;
    });
  }, [id, mayReview, router]);
}

/** @param keys null if single keys are off @param reasons null if the member may not decide */
function listKeys(keys: DeskKeys | null, reasons: readonly RejectReason[] | null): KeySection {
  const own = (...actions: ("approve" | "reject" | "undo" | "open" | "reveal")[]) =>
    keys ? actions.map((action) => [actionWords[action], keySign(keys[action])] as const) : [];
  return {
    title: "Grid and list: decisions are for the selection, else for the focused post",
    rows: [
      ["Move between posts", keys ? "J K ← ↑ ↓ →" : "← ↑ ↓ →"],
      ["First and last post", "Home End"],
      ["Open the page of the post", "Enter"],
      ...own("open", "reveal"),
      ...(reasons
        ? [
            ["Select or unselect", keys ? "X Space" : "Space"] as const,
            ["Select a range", "Shift ↑ ↓"] as const,
            ...own("approve", "reject", "undo"),
          ]
        : []),
      ...(keys && reasons
        ? reasons.map(({ label }, at) => [`Reject: ${label}`, String(at + 1)] as const)
        : []),
    ],
  };
}
