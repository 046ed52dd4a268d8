"use client";
import { Check, Eye, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { Fragment, useCallback, useEffect, useMemo, useState, type ReactNode, type RefObject } from "react";
import { authorTarget } from "#components/blocking/author-target.ts";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { coverOf } from "#components/post/covered.ts";
import { addressOf, postActions } from "#components/post/post-offers.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { usePageOffer } from "#components/shell/page-offers.ts";
import { useReasonsInUse } from "#components/shell/reasons-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { notifyInfo } from "#components/ui/toast.tsx";
import { deskKeys, type Press } from "#lib/client/desk/keys.ts";
import type { ListPress } from "#lib/client/desk/list-keys.ts";
import type { ListView } from "#lib/client/desk/list.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { PostTable } from "./post-table.tsx";
import { PostTile } from "./post-tile.tsx";
import { isUnseen, SeenPicturesStore, type SeenPictures } from "./seen-pictures.ts";
import type { Verdict } from "./use-batch.ts";
import { listKeys } from "./list-key-help.ts";
import { useListKeys } from "./use-list-keys.ts";
import { usePostFocus } from "./use-post-focus.ts";
import type { RowReview } from "./use-row-review.ts";
import type { Selection } from "./use-selection.ts";

const PostPreview = lazyWithRetry(
  () => import("./post-preview.tsx").then((module) => module.PostPreview),
  ({ onClose }) => <LoadingNotice onClose={onClose} />,
);

export interface PostsViewProps {
  view: ListView;
  posts: readonly Post[];
  /** In place of no posts. The keys work on: a batch that emptied the page can be undone. */
  empty?: ReactNode;
  preferences: DeskPreferences;
  /** Null if posts cannot be selected. */
  selection: Selection | null;
  /** States differ, so that rows show them. */
  states: boolean;
  isBusy?: boolean;
  /** Contains the list and its bars. */
  root: RefObject<HTMLElement | null>;
  seen: SeenPictures;
  review: RowReview;
  onDecideMany?: (decision: Verdict, ids: readonly number[], reason?: number) => void;
  onUndo?: () => void;
  onChecks?: (post: Post) => void;
  /** Inside a panel, which has a frame. */
  isFramed?: boolean;
}

/** Posts as grid or table, with keyboard, preview and decisions on the focused post. */
export function PostsView(props: PostsViewProps) {
  const { view, posts, preferences, selection, root, seen: store, review } = props;
  const Frame = props.isFramed ? Fragment : Card;
  const mayReview = useCan("reviewer");
  const mayManage = useCan("admin");
  const router = useRouter();
  const blocking = useBlocking();
  const ids = useMemo(() => posts.map((post) => post.id), [posts]);
  const focus = usePostFocus(ids, root);
  const [previewed, setPreviewed] = useState<Post | null>(null);
  const [revealed, setRevealed] = useState<ReadonlySet<number>>(new Set());
  const reveal = useCallback((id: number) => setRevealed((before) => new Set(before).add(id)), []);
  const preview = useCallback((post: Post) => setPreviewed(post), []);
  const postOf = (id: number | null) => posts.find((post) => post.id === id);

  const decide = (post: Post, approved: boolean | null, reason?: number) => {
    if (approved !== null && post.approved === approved && reason === undefined) {
      notifyInfo(approved ? "Already approved" : "Already rejected");
    } else if (approved && previewed?.id !== post.id && isUnseen(post, store.getState())) {
      setPreviewed(post);
      notifyInfo(
        "See the pictures first",
        "A list never approves pictures that are covered or were not loaded.",
      );
    } else void review(post, approved, reason);
  };
  const decideHere = (decision: Verdict, reason?: number): boolean => {
    if (!mayReview) return false;
    const post = postOf(focus.focused());
    if (selection && selection.ids.size > 0) props.onDecideMany?.(decision, [...selection.ids], reason);
    else if (post) decide(post, decision === "approve", reason);
    else return false;
    return true;
  };

  const onList = (press: ListPress) => {
    const before = focus.focused();
    if ("move" in press) {
      const now = focus.move(press.move);
      if (press.extend && before !== null && now !== null) selection?.extend(before, now);
      return;
    }
    const post = postOf(before);
    if (!post) return;
    if (press.act === "preview") setPreviewed(post);
    else if (press.act === "open_page") router.push(`/posts/${post.id}`);
    else selection?.toggle(post.id, press.act === "select_range");
  };
  const reasons = useReasonsInUse();
  const onDesk = (press: Press): boolean => {
    const post = postOf(focus.focused());
    if ("reason" in press) {
      const reason = reasons[press.reason - 1];
      return reason !== undefined && decideHere("reject", reason.id);
    }
    switch (press.action) {
      case "approve":
      case "reject":
        return decideHere(press.action);
      case "undo":
        props.onUndo?.();
        return props.onUndo !== undefined;
      case "open":
        if (post) window.open(addressOf(post), "_blank", "noopener,noreferrer");
        return post !== undefined;
      case "reveal":
        if (post) reveal(post.id);
        return post !== undefined;
      case "checks":
        if (post) props.onChecks?.(post);
        return post !== undefined;
      default:
        return false;
    }
  };
  const keys = preferences.keys_on ? deskKeys : null;
  useListKeys({ keys, focus, onList, onDesk });
  const offerOf = (post: Post | undefined) =>
    post && {
      name: `Post by ${post.author_account}`,
      actions: [
        { id: "post preview", name: "Preview this post", icon: Eye, run: () => setPreviewed(post) },
        ...(mayReview
          ? [
              { id: "post approve", name: "Approve this post", icon: Check, run: () => decide(post, true) },
              { id: "post reject", name: "Reject this post", icon: X, run: () => decide(post, false) },
            ]
          : []),
        ...postActions(post, {
          open: () => router.push(`/posts/${post.id}`),
          ...(mayReview
            ? { block: (account: string) => void blocking.block(authorTarget(account, mayManage)) }
            : {}),
        }),
      ],
    };
  usePageOffer(() => ({
    keys: [listKeys({ keys, mayReview, selects: selection !== null, reasons })],
    about: offerOf(postOf(focus.last)) ?? null,
  }));

  const stable = useLatest(decide);
  const onReview = useCallback(
    (post: Post, approved: boolean | null) => stable.current(post, approved),
    [stable],
  );
  const toggle = useLatest(selection?.toggle);
  const onToggle = useCallback((id: number, range: boolean) => toggle.current?.(id, range), [toggle]);
  const onChecks = useLatest(props.onChecks);
  const openChecks = useCallback((post: Post) => onChecks.current?.(post), [onChecks]);
  return (
    <SeenPicturesStore value={store}>
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
      {posts.length === 0 ? (
        props.empty
      ) : view === "grid" ? (
        <ul
          aria-label="Posts"
          aria-busy={props.isBusy}
          className="grid grid-cols-1 gap-3 min-[22rem]:grid-cols-2 wide:grid-cols-4 min-[76rem]:grid-cols-5"
        >
          {posts.map((post) => (
            <PostTile
              key={post.id}
              post={post}
              cover={preferences.cover}
              selected={selection?.ids.has(post.id) ?? false}
              isStop={focus.stop === post.id}
              onStop={focus.setStop}
              revealed={revealed.has(post.id)}
              onReveal={reveal}
              onChecks={openChecks}
              {...(selection ? { onToggle } : {})}
            />
          ))}
        </ul>
      ) : (
        <Frame>
          <PostTable
            posts={posts}
            selection={selection}
            decides={mayReview}
            states={props.states}
            cover={preferences.cover}
            revealed={revealed}
            stop={focus.stop}
            onStop={focus.setStop}
            onPreview={preview}
            onReview={onReview}
            {...(props.onChecks ? { onChecks: openChecks } : {})}
          />
        </Frame>
      )}
      {previewed ? (
        <PostPreview
          post={postOf(previewed.id) ?? previewed}
          posts={posts}
          cover={coverOf(previewed, preferences.cover)}
          keys={keys}
          reasons={reasons}
          mayReview={mayReview}
          selected={selection?.ids.has(previewed.id) ?? false}
          revealed={revealed.has(previewed.id)}
          onReveal={() => reveal(previewed.id)}
          onShow={(post) => {
            focus.setStop(post.id);
            setPreviewed(post);
          }}
          onDecide={decide}
          {...(selection ? { onToggle: () => selection.toggle(previewed.id, false) } : {})}
          {...(props.onChecks ? { onChecks: () => props.onChecks?.(previewed) } : {})}
          onClose={() => setPreviewed(null)}
          onClosed={() => focus.stop !== null && focus.focus(focus.stop)}
        />
      ) : null}
    </SeenPicturesStore>
  );
}

function useLatest<T>(value: T): RefObject<T> {
  const [ref] = useState(() => ({ current: value }));
  useEffect(() => {
    ref.current = value;
  });
  return ref;
}
