import { toIso } from "#lib/base/clock.ts";
import type { Prisma } from "#lib/base/db.ts";
import type { Actor, Principal } from "#lib/base/http/principal.ts";
import { findPostBlocks } from "#lib/blocking/find-blocks.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import type { PostFilters, PostOrder } from "./filter-schema.ts";
import { getPost, readCards } from "./read-posts.ts";
import { resolveAddress } from "./look-up-address.ts";
import { searchMode, type SearchMode } from "./search-posts.ts";
import { excludesUnreviewed } from "./conditions.ts";
import type { AuthorHistory } from "./author-schema.ts";
import { authorHistories } from "./authors.ts";
import {
  skippedStatement,
  cardFacts,
  claim,
  claimStatement,
  countRemaining,
  editRows,
  releaseCards,
  waitingByAuthor,
  type CardFactRow,
} from "./deck-sql.ts";
import type { Deck, DeckCard, DeckQuery, PostFile } from "./deck-schema.ts";

/** Each retry means that a concurrent call got a card, so that many in a row do not occur. */
const ATTEMPTS = 8;

/** Holder of leases: `k<id>` of an API key, `m<id>` of a member. */
export function leaseHolderOf(principal: Pick<Actor, "member_id" | "key_id">): string {
  return principal.key_id === null ? `m${principal.member_id}` : `k${principal.key_id}`;
}

/** The deck of filters that no unreviewed post matches. */
export const emptyDeck: Deck = { items: [], remaining: 0, remaining_is_more: false, leased_to_others: 0 };

/** Leases cards to the caller. Own cards come first, so that a reload loses none; skipped posts come last. */
export async function getDeck(principal: Principal, query: DeckQuery): Promise<Deck> {
  const { count: asked, unsent, order, ...wanted } = query;
  const count = asked === 0 ? 0 : asked + unsent;
  if (excludesUnreviewed(wanted)) return emptyDeck;
  const filters = await resolveAddress({ ...wanted, reviewed: undefined });
  const mode = await searchMode(filters);
  const holder = leaseHolderOf(principal);
  const ids = await claimCards(holder, filters, order, count, mode);
  const [items, counted] = await Promise.all([
    showCards(principal, ids),
    countRemaining(holder, filters, order, mode),
  ]);
  const isIncomplete = mode === "frequent" && counted.remaining_is_more && ids.length < count;
  return {
    ...counted,
    items,
    // Another reviewer may have decided since the claim.
    remaining: Math.max(items.length, counted.remaining),
    ...(isIncomplete ? { incomplete_results: true as const } : {}),
  };
}

async function claimCards(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
  mode: SearchMode | null,
): Promise<number[]> {
  const got = new Set<number>();
  const claimUntilFull = async (statement: (missing: number) => Prisma.Sql) => {
    for (let attempt = 0; attempt < ATTEMPTS && got.size < count; attempt++) {
      const { wanted, leased } = await claim(statement(count - got.size));
      const ownLeases = wanted.filter((id) => leased.includes(id));
      for (const id of ownLeases) got.add(id);
      if (ownLeases.length === wanted.length) break;
    }
  };
  // Own cards come first in each answer, so a repeated call has to ask for all cards.
  await claimUntilFull(() => claimStatement(holder, filters, order, count, mode));
  await claimUntilFull((missing) => skippedStatement(holder, filters, order, missing));
  return [...got].slice(0, count);
}

/** Stands for a post that was deleted meanwhile. */
const unblocked = { author_blocked: false, blocked_hashtags: [] };

async function showCards(principal: Principal, ids: number[]): Promise<DeckCard[]> {
  if (ids.length === 0) return [];
  const holder = leaseHolderOf(principal);
  const [posts, facts, blocks] = await Promise.all([
    readCards(ids),
    cardFacts(holder, ids),
    findPostBlocks(ids),
  ]);
  const authors = [...new Set(facts.map((fact) => fact.author_key))];
  const [histories, waiting] = await Promise.all([
    authorHistories(authors),
    waitingByAuthor(holder, authors, {}),
  ]);
  const factOf = new Map(facts.map((fact) => [fact.post_id, fact]));
  return ids.flatMap((id) => {
    const post = posts.get(id);
    const fact = factOf.get(id);
    // Decided or deleted since the claim.
    if (!post || !fact || post.approved !== null) return [];
    return {
      ...post,
      // Without the post itself.
      author_waiting: Math.max(0, (waiting.get(fact.author_key) ?? 0) - 1),
      lease_expires_at: toIso(fact.expires_at),
      author_history: histories.get(fact.author_key) as AuthorHistory,
      ...(blocks.get(id) ?? unblocked),
      edit: editOf(fact),
    };
  });
}

function editOf(fact: Pick<CardFactRow, "edit" | "edit_at">): DeckCard["edit"] {
  const details = fact.edit as { before?: Record<string, unknown>; after?: Record<string, unknown> } | null;
  if (fact.edit_at === null || !details?.before || !details.after) return null;
  return { at: toIso(fact.edit_at), before: details.before, after: details.after };
}

/** Ends all leases of the caller. */
export async function releaseDeck(principal: Principal): Promise<void> {
  await releaseCards(leaseHolderOf(principal));
}

/**
 * A post with what the desk shows beside a card.
 *
 * @throws post_not_found
 */
export async function getPostFile(id: number): Promise<PostFile> {
  const post = await getPost(id);
  const key = authorKey(post.author_account) ?? "";
  const [blocks, histories, edits] = await Promise.all([
    findPostBlocks([id]),
    authorHistories([key]),
    editRows(id),
  ]);
  return {
    ...post,
    author_history: histories.get(key) as AuthorHistory,
    ...(blocks.get(id) ?? unblocked),
    edits: edits.flatMap((row) => editOf(row) ?? []),
  };
}
