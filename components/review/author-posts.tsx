"use client";
import { unseenLeftOut } from "#components/words.ts";
import { formatCount, plural } from "#components/format.ts";
import { Check, X } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { PostTile } from "#components/browse/post-tile.tsx";
import { isUnseen, SeenPictures, SeenPicturesStore, useSeen } from "#components/browse/seen-pictures.ts";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { useReasonsInUse } from "#components/shell/reasons-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { MAX_CARDS } from "#lib/client/desk/cards.ts";
import { keySign, nameOf, readPress } from "#lib/client/desk/keys.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { QuickReasons } from "./quick-reasons.tsx";
import { undoBatch } from "./undo.ts";
import { undoBatchAtDesk } from "./use-desk-undo.ts";
import type { Desk } from "./use-desk.ts";

const batchDoneBy = {
  approve: (count: number, account: string) => `${plural(count, "post", "posts")} by ${account} approved`,
  reject: (count: number, account: string) => `${plural(count, "post", "posts")} by ${account} rejected`,
} as const;

export interface AuthorPostsProps {
  /** The card on top, by the author. */
  card: DeckCard;
  desk: Desk;
  cover: Cover;
  onChecks: (card: DeckCard) => void;
  onClose: () => void;
}

type Verdict = "approve" | "reject";

/** The posts are leased with the question, so nobody else decides them meanwhile. */
export function AuthorPosts({ card, desk, cover, onChecks, onClose }: AuthorPostsProps) {
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
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys pressed in an enlarged picture arrive here, too.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target.closest("[data-post]");
    if (event.key.startsWith("Arrow") && tiles.current) {
      event.preventDefault();
      return moveFocus(tiles.current, at, event.key);
    }
    const pressed = readPress(event.nativeEvent, keys);
    const reason = pressed && "reason" in pressed ? reasons[pressed.reason - 1] : undefined;
    if (reason !== undefined) {
      event.preventDefault();
      return void decide("reject", reason);
    }
    if (pressed && "action" in pressed && (pressed.action === "approve" || pressed.action === "reject")) {
      event.preventDefault();
      void decide(pressed.action);
    } else if (keys && nameOf(event.nativeEvent) === "x" && at && !event.repeat) {
      event.preventDefault();
      toggle(Number(at.getAttribute("data-post")));
    }
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
                    onChecks={() => onChecks(post)}
                  />
                ))}
              </ul>
            </SeenPicturesStore>
            <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-3">
              <p className="me-auto text-13 text-muted">
                <span role="status" className="tabular text-text">
                  {formatCount(selected.length)} selected
                  {unseen > 0 ? ` · ${unseenLeftOut(unseen)}` : null}
                </span>
                {keys ? (
                  <span className="pointer-coarse:hidden">
                    {" · "}
                    {`Arrow keys move, X selects, ${keySign(keys.approve)} approves and ${keySign(keys.reject)} rejects the selected posts.`}
                  </span>
                ) : null}
              </p>
              <QuickReasons
                reasons={reasons}
                disabled={selected.length === 0 || pending !== null}
                onReason={(reason) => void decide("reject", reason)}
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
  const postIds = posts.map(({ id }) => id);
  const {
    batch_id: id,
    changed,
    unchanged,
  } = await apiFetch<BatchResult>("/review/batch", {
    method: "POST",
    body: {
      decision,
      reject_reason: reason?.id,
      post_ids: postIds,
      shown: posts.map(({ id, version }) => ({ id, approved: null, version })),
    },
  });
  const refused = new Set(unchanged.map(({ post_id }) => post_id));
  const some = refused.size === 0 ? {} : { description: someText(unchanged) };
  if (changed === 0) return notifyInfo("No changes needed", some.description);
  desk.store.batchDone({
    id,
    decision,
    at: new Date().toISOString(),
    name: account,
    count: changed,
    posts: posts.filter((post) => !refused.has(post.id)),
    undo: () => undoBatch(id),
  });
  notifyDone(batchDoneBy[decision](changed, account), {
    ...some,
    undo: () => undoBatchAtDesk(desk.store, id),
  });
}

function someText(unchanged: BatchResult["unchanged"]): string {
  return `${plural(unchanged.length, "post", "posts")} could not be changed: ${unchanged[0]?.detail ?? ""}`;
}

/** Left and right by one tile, up and down by one row. */
function moveFocus(list: HTMLElement, from: Element | null, key: string): void {
  const tiles = [...list.querySelectorAll<HTMLElement>("[data-post]")];
  const at = from ? tiles.findIndex((tile) => tile === from) : -1;
  const columns = tiles.filter((tile) => tile.offsetTop === tiles[0]?.offsetTop).length;
  const forwards = getComputedStyle(list).direction === "rtl" ? -1 : 1;
  const by = { ArrowRight: forwards, ArrowLeft: -forwards, ArrowDown: columns, ArrowUp: -columns }[key] ?? 0;
  const next = tiles[at < 0 ? 0 : at + by];
  next?.querySelector<HTMLElement>("input[type=checkbox]")?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
