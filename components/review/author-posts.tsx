"use client";
import { unseenLeftOut } from "#components/words.ts";
import { formatCount, plural } from "#components/format.ts";
import { Check, X } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { PostTile } from "#components/browse/post-tile.tsx";
import { isUnseen, SeenPictures, SeenPicturesStore, useSeen } from "#components/browse/seen-pictures.ts";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { useReasonsInUse } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { MAX_CARDS } from "#lib/client/desk/desk.ts";
import { keySign, readPress } from "#lib/client/desk/keys.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { QuickReasons } from "./quick-reasons.tsx";
import { tellUndo, undoBatch } from "./undo.ts";
import type { Desk } from "./use-desk.ts";

export interface AuthorPostsProps {
  /** The card on top, by the author. */
  card: DeckCard;
  desk: Desk;
  cover: Cover;
  onClose: () => void;
}

type Verdict = "approve" | "reject";

/** The posts are leased with the question, so nobody else decides them meanwhile. */
export function AuthorPosts({ card, desk, cover, onClose }: AuthorPostsProps) {
  const { author_account: account } = card;
  const [found, setFound] = useState<{ posts: DeckCard[]; remaining: number } | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [pending, setPending] = useState<Verdict | null>(null);
  const [attempt, setAttempt] = useState(0);
  const tiles = useRef<HTMLUListElement>(null);
  const [store] = useState(() => new SeenPictures());
  const seen = useSeen(store);
  const keys = useDeskKeyMap();
  const reasons = useReasonsInUse();
  useEffect(() => {
    const stop = new AbortController();
    void loadPosts(card, desk, stop.signal).then(setFound, (thrown: unknown) => {
      if (!stop.signal.aborted) setFailure(asFailure(thrown));
    });
    return () => stop.abort();
  }, [card, desk, attempt]);
  const isLoaded = found !== null;
  useEffect(() => {
    tiles.current?.querySelector<HTMLElement>("input")?.focus();
  }, [isLoaded]);

  const selected = (found?.posts ?? []).filter(({ id }) => !left.has(id));
  // No picture is approved unseen, here as in the lists.
  const postsFor = { reject: selected, approve: selected.filter((post) => !isUnseen(post, seen)) };
  const unseen = selected.length - postsFor.approve.length;
  const toggle = (id: number) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const decide = async (verdict: Verdict, reason?: RejectReason) => {
    if (pending !== null || selected.length === 0) return;
    if (postsFor[verdict].length === 0)
      return notifyInfo(
        "See the pictures first",
        "A list never approves pictures that are covered or were not loaded.",
      );
    setPending(verdict);
    try {
      await decideTogether(desk, account, verdict, postsFor[verdict], reason);
      onClose();
    } catch (thrown) {
      notifyFailed("No posts were changed", asFailure(thrown));
      setPending(null);
    }
  };
  const decideFor = (number: number) => {
    const reason = reasons[number - 1];
    if (reason !== undefined) void decide("reject", reason);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys pressed in an enlarged picture arrive here, too.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    const pressed = readPress(event.nativeEvent, keys);
    if (!pressed) return;
    if ("reason" in pressed) decideFor(pressed.reason);
    else if (pressed.action === "approve" || pressed.action === "reject") void decide(pressed.action);
    else return;
    event.preventDefault();
  };
  const button = (verdict: Verdict) => ({
    variant: verdict,
    pending: pending === verdict,
    "aria-disabled": selected.length === 0 || pending !== null || undefined,
    ...(keys ? { kbd: keySign(keys[verdict]) } : {}),
    onClick: () => void decide(verdict),
  });
  const isMore = found !== null && found.remaining > found.posts.length;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Waiting posts of ${account}`}
      description={
        isMore
          ? `Only the posts that are selected here are decided. The first ${found.posts.length} of ${formatCount(found.remaining)}; the others follow.`
          : "Only the posts that are selected here are decided."
      }
      width="xl"
    >
      <div className="flex flex-col gap-4" onKeyDown={onKeyDown}>
        {failure ? (
          <ErrorState
            title="The posts of the author could not be loaded"
            failure={failure}
            onRetry={() => {
              setFailure(null);
              setAttempt(attempt + 1);
            }}
          />
        ) : found === null ? (
          <SkeletonRows rows={4} columns={3} />
        ) : found.posts.length === 0 ? (
          <EmptyState title="No posts by this author are waiting" />
        ) : (
          <>
            <SeenPicturesStore value={store}>
              <ul
                ref={tiles}
                aria-label="Waiting posts of the author"
                className="grid grid-cols-2 gap-3 pt-0.5 desk:grid-cols-3 wide:grid-cols-4"
              >
                {found.posts.map((post) => (
                  <PostTile
                    key={post.id}
                    post={post}
                    cover={cover}
                    selected={!left.has(post.id)}
                    onToggle={toggle}
                  />
                ))}
              </ul>
            </SeenPicturesStore>
            <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-3">
              <p role="status" className="tabular me-auto text-13">
                {formatCount(selected.length)} selected
                {unseen > 0 ? ` · ${unseenLeftOut(unseen)}` : null}
              </p>
              <QuickReasons
                reasons={reasons}
                disabled={selected.length === 0 || pending !== null}
                onReason={decideFor}
                className="flex basis-full flex-wrap"
              />
              <Button icon={<X aria-hidden />} {...button("reject")}>
                Reject {formatCount(postsFor.reject.length)}
              </Button>
              <Button icon={<Check aria-hidden />} {...button("approve")}>
                Approve {formatCount(postsFor.approve.length)}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** The card on top first. Posts with an unsent decision are left out. */
async function loadPosts(card: DeckCard, desk: Desk, signal: AbortSignal) {
  const query = new URLSearchParams({ count: String(MAX_CARDS), author: card.author_account });
  const deck = await apiFetch<Deck>(`/review/deck?${query}`, { signal });
  const unsent = new Set(desk.outbox.pending().map(({ post_id }) => post_id));
  const posts = deck.items.filter(({ id }) => !unsent.has(id));
  posts.sort((a, b) => Number(b.id === card.id) - Number(a.id === card.id));
  return { posts, remaining: deck.remaining - (deck.items.length - posts.length) };
}

/** The dialog shows these unreviewed posts. No others change, nor those that somebody reviewed since. */
async function decideTogether(
  desk: Desk,
  account: string,
  decision: Verdict,
  posts: readonly DeckCard[],
  reason: RejectReason | undefined,
): Promise<void> {
  const body = {
    decision,
    reject_reason: reason?.id,
    post_ids: posts.map(({ id }) => id),
    shown: posts.map(({ id, version }) => ({ id, approved: null, version })),
  };
  const result = await apiFetch<BatchResult>("/review/batch", { method: "POST", body });
  const { batch_id: id, changed, unchanged } = result;
  const refused = new Set(unchanged.map(({ post_id }) => post_id));
  const [first] = unchanged;
  const some = first && `${plural(refused.size, "post", "posts")} could not be changed: ${first.detail}`;
  if (changed === 0) return notifyInfo("No changes needed", some);
  const undo = desk.store.decided({
    id,
    decision,
    author: account,
    count: changed,
    cards: posts.filter((post) => !refused.has(post.id)),
    undo: () =>
      tellUndo(undoBatch(id), (restored) => `Undone for ${account}: ${formatCount(restored)} restored`),
  });
  const done = decision === "approve" ? "approved" : "rejected";
  notifyDone(`${plural(changed, "post", "posts")} by ${account} ${done}`, {
    undo,
    ...(some ? { description: some } : {}),
  });
}
