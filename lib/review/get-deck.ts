import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { allowedStreams, type Principal } from "#lib/auth/principal.ts";
import { findPostBlocks } from "#lib/filters/find-blocks.ts";
import { isOfDecided } from "#lib/posts/moments-sql.ts";
import type { PostFilters, PostOrder } from "#lib/posts/schema.ts";
import { readPlace, writePlace } from "#lib/posts/search-after.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { readPosts } from "#lib/posts/read-posts.ts";
import { serializeCard } from "#lib/posts/serialize.ts";
import { authorHistoryRows, type AuthorHistoryRow } from "./author-sql.ts";
import {
  cardFacts,
  claimBehind,
  claimCards,
  countRemaining,
  type CardFactRow,
  type Claim,
} from "./deck-sql.ts";
import { holderOf } from "./holder.ts";
import type { AuthorHistory, Standing } from "./author-schema.ts";
import type { Deck, DeckCard, DeckQuery } from "./deck-schema.ts";

/** Each retry means that another call has got its cards, so this many in a row do not happen. */
const ATTEMPTS = 8;

/**
 * Leases up to `count` cards and shows them with all a decision needs. Cards one has already come back first, so
 * a reload loses nothing; what others hold is never shown; skipped posts come last.
 */
export async function getDeck(principal: Principal, query: DeckQuery): Promise<Deck> {
  const { count, order, search_after, ...filters } = query;
  // What is decided, or in the queue, is not in the deck.
  if (isOfDecided(filters)) return { items: [], remaining: 0, remaining_is_more: false };
  const wanted = {
    ...filters,
    reviewed: undefined,
    own_streams: allowedStreams(principal) ?? undefined,
    after: (search_after === undefined ? null : readPlace(search_after, order)) ?? undefined,
  };
  const holder = holderOf(principal);
  const { ids, stop } = await claim(holder, wanted, order, count);
  const [items, remaining] = await Promise.all([showCards(holder, ids), countRemaining(holder, wanted)]);
  return {
    items,
    // The count is of a moment later: never fewer than what is in hand.
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
    // What comes last comes behind what was not looked through yet.
    if (stopped !== null) break;
    for (let attempt = 0; attempt < ATTEMPTS && got.length < count; attempt++) {
      // Own cards lead the first answer, so asking again for all of them keeps the order.
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

export function serializeAuthorHistory(row: AuthorHistoryRow | undefined): AuthorHistory {
  return {
    approved: row?.approved ?? 0,
    rejected: row?.rejected ?? 0,
    standing: (row?.standing ?? "none") as Standing,
    last_decisions: (row?.last_decisions ?? []).map((decision) => ({
      ...decision,
      reviewed_at: new Date(decision.reviewed_at).toISOString(),
      emojis: pickEmojis(decision.emojis, [decision.snippet]),
    })),
  };
}

/** `details` of an edit line: what the post said before and after. */
export function editOf(fact: Pick<CardFactRow, "edit" | "edit_at">): DeckCard["edit"] {
  const details = fact.edit as { before?: Record<string, unknown>; after?: Record<string, unknown> } | null;
  if (fact.edit_at === null || !details?.before || !details.after) return null;
  return { at: toIso(fact.edit_at), before: details.before, after: details.after };
}
