import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { switchRow } from "#lib/queue/switches.ts";
import type { UserPattern } from "./block-rows.ts";
import type { SwitchName } from "./schema.ts";

export interface PostBlocks {
  author_blocked: boolean;
  /** Written as in the post. */
  blocked_hashtags: string[];
}

/** Compares every pattern: fast enough for one author. */
export function authorBlockRows(
  tx: Tx,
  authorKey: string,
): Promise<(Omit<UserPattern, "notes"> & { id: number })[]> {
  return tx.$queryRaw`
    SELECT id, account_identifier, pattern_type FROM blocked_user
     WHERE user_pattern_matches(pattern_type, account_identifier, ${authorKey}) ORDER BY id`;
}

/** Whether or not the lists reject on fetch. */
export function postBlockRows(ids: number[]): Promise<(PostBlocks & { id: number })[]> {
  return db.$queryRaw<(PostBlocks & { id: number })[]>`
    SELECT p.id, hold_bits(p.author_key, '{}', p.related) & 1 <> 0 AS author_blocked,
           ARRAY(SELECT t.tag FROM unnest(p.hashtags || p.related, p.hashtags_folded || p.related) AS t (tag, folded)
                  WHERE t.folded IN (SELECT hashtag_folded FROM blocked_hashtag)) AS blocked_hashtags
      FROM post p WHERE p.id = ANY (${ids}::int[])`;
}

/** Checks each author once. */
async function unreviewedOfBlockedUsers(tx: Tx): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    WITH author AS MATERIALIZED (SELECT DISTINCT author_key FROM post WHERE approved IS NULL),
         blocked AS MATERIALIZED (SELECT author_key FROM author WHERE user_blocked(author_key))
    SELECT id FROM post JOIN blocked USING (author_key) WHERE approved IS NULL
    UNION
    SELECT id FROM post WHERE approved IS NULL AND related <> '{}' AND hold_bits(author_key, '{}', related) & 1 <> 0 ORDER BY id`;
  return rows.map((row) => row.id);
}

/** By tags of the post or the hashtag of its stream. */
async function unreviewedWithBlockedHashtags(tx: Tx): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post
     WHERE approved IS NULL
       AND post_tags(hashtags_folded || related, stream_hashtag_folded) && ARRAY(SELECT hashtag_folded FROM blocked_hashtag)
     ORDER BY id`;
  return rows.map((row) => row.id);
}

async function unreviewedOfBots(tx: Tx): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE approved IS NULL AND author_is_bot ORDER BY id`;
  return rows.map((row) => row.id);
}

/** Posts that wait for review, by the reason for which a filter rejects them. */
export const findUnreviewedMatching = {
  blocked_user: unreviewedOfBlockedUsers,
  blocked_hashtag: unreviewedWithBlockedHashtags,
  bot: unreviewedOfBots,
} as const;

/** The order of `held_by` without the media switches. OFFSET 0: evaluated once for each post. */
export function rejectionOf(
  authorKey: Prisma.Sql,
  tags: Prisma.Sql,
  related: Prisma.Sql,
  isBot: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`(
    SELECT CASE WHEN s.auto_reject_blocked_users AND b.bits & 1 <> 0 THEN 'blocked_user'
                WHEN s.auto_reject_blocked_hashtags AND b.bits & 2 <> 0 THEN 'blocked_hashtag'
                WHEN s.auto_reject_bots AND ${isBot} THEN 'bot' END
      FROM ${switchRow}, LATERAL (SELECT hold_bits(${authorKey}, ${tags}, ${related}) AS bits OFFSET 0) b)`;
}

/** Of posts `p`. */
export const rejectionNow = rejectionOf(
  Prisma.sql`p.author_key`,
  Prisma.sql`post_tags(p.hashtags_folded, p.stream_hashtag_folded)`,
  Prisma.sql`p.related`,
  Prisma.sql`p.author_is_bot`,
);

/** The filter that rejected a post `p`: "block" or a switch when it was set, null at a fetch. */
const rejectedBy = Prisma.sql`(
  SELECT e.details ->> 'set' FROM post_event e
   WHERE e.post_id = p.id AND e.action = 'auto_reject' ORDER BY e.id DESC LIMIT 1)`;

/** Posts that were rejected when an author was blocked, and that no filter rejects now. */
export async function rejectedAuthors(tx: Tx, { pattern_type, account_identifier }: UserPattern) {
  const isMatch =
    pattern_type === "exact"
      ? Prisma.sql`(p.author_key = ${account_identifier} OR ${account_identifier} = ANY (p.related))`
      : Prisma.sql`EXISTS (
          SELECT FROM unnest(p.related || p.author_key) a
           WHERE a LIKE '%@%' AND user_pattern_matches(${pattern_type}, ${account_identifier}, a))`;
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM post p
     WHERE p.auto_reject_reason = 'blocked_user' AND NOT p.approved AND ${isMatch} AND p.erased_at IS NULL
       AND ${rejectedBy} IS NOT NULL AND ${rejectionNow} IS NULL
     ORDER BY p.id`;
  return rows.map((row) => row.id);
}

/** Posts that were rejected when a hashtag was blocked, and that no filter rejects now. */
export async function rejectedTags(tx: Tx, { hashtag_folded }: { hashtag_folded: string }) {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM post p
     WHERE p.auto_reject_reason = 'blocked_hashtag' AND NOT p.approved AND p.erased_at IS NULL
       AND ${hashtag_folded} = ANY (post_tags(p.hashtags_folded, p.stream_hashtag_folded) || p.related)
       AND ${rejectedBy} IS NOT NULL AND ${rejectionNow} IS NULL
     ORDER BY p.id`;
  return rows.map((row) => row.id);
}

/** Posts that were rejected when this switch was set, and that the switches `after` do not reject. */
export async function rejectedBySwitch(
  tx: Tx,
  name: SwitchName,
  after: Pick<
    Record<SwitchName, boolean>,
    "auto_reject_blocked_users" | "auto_reject_blocked_hashtags" | "auto_reject_bots"
  >,
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM post p, LATERAL (
             SELECT hold_bits(p.author_key, post_tags(p.hashtags_folded, p.stream_hashtag_folded), p.related) AS bits
             OFFSET 0) b
     WHERE p.auto_reject_reason IS NOT NULL AND NOT p.approved AND p.erased_at IS NULL AND ${rejectedBy} = ${name}
       AND NOT (${after.auto_reject_bots} AND p.author_is_bot)
       AND NOT (${after.auto_reject_blocked_users} AND b.bits & 1 <> 0)
       AND NOT (${after.auto_reject_blocked_hashtags} AND b.bits & 2 <> 0)
     ORDER BY p.id`;
  return rows.map((row) => row.id);
}
