import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { allowedStreams, type Principal } from "#lib/auth/principal.ts";
import { findPostBlocks } from "#lib/filters/find-blocks.ts";
import { isOfDecided } from "#lib/posts/moments-sql.ts";
import type { PostFilters, PostOrder } from "#lib/posts/schema.ts";
import { readPlace, writePlace } from "#lib/posts/search-after.ts";
import { readPosts } from "#lib/posts/read-posts.ts";
import { serializeCard } from "#lib/posts/serialize.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { getPost } from "#lib/posts/get-post.ts";
import { authorHistoryRows } from "./author-sql.ts";
import { serializeAuthorHistory } from "./authors.ts";
import {
  cardFacts,
  claimBehind,
  claimCards,
  countRemaining,
  editRows,
  releaseCards,
  type CardFactRow,
  type Claim,
} from "./deck-sql.ts";
import type { Deck, DeckCard, DeckQuery, PostFile } from "./deck-schema.ts";

/** A retry means that a concurrent call got the cards, so this many in a row do not occur. */
const ATTEMPTS = 8;

/** Cards are leased to the API key, or to the member of a session. */
export function leaseHolderOf(principal: Principal): string {
  return principal.key_id === null ? `m${principal.member_id}` : `k${principal.key_id}`;
}

/**
 * Leases up to `count` cards. The caller's own cards come first, so that a reload loses none; skipped posts and muted
 * authors come last. Cards leased to others are left out.
 */
export async function getDeck(principal: Principal, query: DeckQuery): Promise<Deck> {
  const { count, order, search_after, ...filters } = query;
  // The deck contains only unreviewed posts.
  if (isOfDecided(filters)) return { items: [], remaining: 0, remaining_is_more: false };
  const wanted = {
    ...filters,
    reviewed: undefined,
    own_streams: allowedStreams(principal) ?? undefined,
    after: (search_after === undefined ? null : readPlace(search_after, order)) ?? undefined,
  };
  const holder = leaseHolderOf(principal);
  const { ids, stop } = await claim(holder, wanted, order, count);
  const [items, remaining] = await Promise.all([showCards(holder, ids), countRemaining(holder, wanted)]);
  return {
    items,
    // Counted after the claim; another reviewer may have decided meanwhile.
    remaining: Math.max(items.length, remaining.n),
    remaining_is_more: remaining.is_more || stop !== null,
    ...(stop === null ? {} : { search_after: writePlace(stop) }),
  };
}

async function claim(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
): Promise<{ ids: number[]; stop: Claim["stop"] }> {
  const got: number[] = [];
  let stopped: Claim["stop"] = null;
  for (const next of [claimCards, claimBehind]) {
    // Skipped and muted posts follow only when the search has reached the end.
    if (stopped !== null) break;
    for (let attempt = 0; attempt < ATTEMPTS && got.length < count; attempt++) {
      // The first claim returns own cards first; repeating it for all cards keeps that order.
      const missing = next === claimCards ? count : count - got.length;
      const { wanted, leased, stop } = await next(holder, filters, order, missing);
      stopped = stop;
      const mine = wanted.filter((id) => leased.includes(id));
      for (const id of mine) if (!got.includes(id)) got.push(id);
      if (mine.length === wanted.length) break;
    }
  }
  return { ids: got.slice(0, count), stop: got.length < count ? stopped : null };
}

async function showCards(holder: string, ids: number[]): Promise<DeckCard[]> {
  if (ids.length === 0) return [];
  const [posts, facts, blocks] = await Promise.all([
    readPosts(db, ids),
    cardFacts(holder, ids),
    findPostBlocks(ids),
  ]);
  const accounts = [...posts.values()].map((post) => post.author_key);
  const histories = new Map(
    (await authorHistoryRows([...new Set(accounts)])).map((row) => [row.author_key, row]),
  );
  const factOf = new Map(facts.map((fact) => [fact.post_id, fact]));
  return ids.flatMap((id) => {
    const post = posts.get(id);
    const fact = factOf.get(id);
    // Decided or deleted between the claim and now.
    if (!post || !fact || post.approved !== null) return [];
    return {
      ...serializeCard(post, post),
      lease_expires_at: toIso(fact.expires_at),
      author_history: serializeAuthorHistory(histories.get(post.author_key)),
      author_blocked: blocks.get(id)?.author_blocked ?? false,
      blocked_hashtags: blocks.get(id)?.blocked_hashtags ?? [],
      edit: editOf(fact),
    };
  });
}

/** Reads the content before and after an edit from the `details` of its history line. */
function editOf(fact: Pick<CardFactRow, "edit" | "edit_at">): DeckCard["edit"] {
  const details = fact.edit as { before?: Record<string, unknown>; after?: Record<string, unknown> } | null;
  if (fact.edit_at === null || !details?.before || !details.after) return null;
  return { at: toIso(fact.edit_at), before: details.before, after: details.after };
}

/** Returns all cards of the caller, so that others need not wait for the leases to expire. */
export async function releaseDeck(principal: Principal): Promise<void> {
  await releaseCards(leaseHolderOf(principal));
}

/**
 * A post with its history and the marks of its card, for its page.
 * @throws post_not_found
 */
export async function getPostFile(id: number): Promise<PostFile> {
  const post = await getPost(id);
  const key = authorKey(post.author_account) ?? "";
  const [blocks, [history], edits] = await Promise.all([
    findPostBlocks([id]),
    authorHistoryRows([key]),
    editRows(id),
  ]);
  return {
    ...post,
    author_history: serializeAuthorHistory(history),
    author_blocked: blocks.get(id)?.author_blocked ?? false,
    blocked_hashtags: blocks.get(id)?.blocked_hashtags ?? [],
    edits: edits.flatMap((row) => editOf(row) ?? []),
  };
}
