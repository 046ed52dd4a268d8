import { hash } from "node:crypto";
import { db, Prisma } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import type { PictureSource } from "./picture-source.ts";
import type { SeenBefore } from "./schema.ts";

/** Two hashes of 64 bits, as 16 hex digits each. */
export interface PictureHashes {
  dhash: string;
  phash: string;
}

/** Largest sum of both distances of the same picture (docs/decisions/0017-picture-hashes.md). */
export const SAME_PICTURE = 24;

/** Newest earlier hashes that a picture is compared with, in 12 ms. */
export const MAX_COMPARED = 50_000;

/** Later hashes that are compared as well, because the pictures of neighbouring cards are downloaded in any order. */
const MAX_LATER = 1_000;

/**
 * Stores hashes; null for a blank picture. The row of a picture with the same addresses stays, so that its id tells when the
 * picture was first seen.
 */
async function insertPictureHash(
  postId: number,
  medium: number,
  source: string,
  hashes: PictureHashes | null,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO picture_hash AS known (post_id, medium, source, dhash, phash)
    SELECT id, ${medium}::smallint, ${source}, ${bits(hashes?.dhash)}::bit(64), ${bits(hashes?.phash)}::bit(64)
      FROM post WHERE id = ${postId}::int FOR KEY SHARE
    ON CONFLICT (post_id, medium) DO UPDATE
       SET id = DEFAULT, source = excluded.source, dhash = excluded.dhash, phash = excluded.phash
     WHERE known.source <> excluded.source`;
}

function bits(hex: string | undefined): string | null {
  return hex === undefined ? null : BigInt(`0x${hex}`).toString(2).padStart(64, "0");
}

/** Keys of the addresses of which hashes are stored, by index of the medium. */
export async function storedSourceKeys(postId: number): Promise<Map<number, string>> {
  const rows = await db.picture_hash.findMany({
    where: { post_id: postId },
    select: { medium: true, source: true },
  });
  return new Map(rows.map(({ medium, source }) => [medium, source]));
}

type SeenRow = Omit<SeenBefore[number], "reviewed_at" | "created_at"> & {
  reviewed_at: Date | null;
  created_at: Date;
};

/**
 * SQL: for each picture of a post the most similar one of another post that was seen earlier or is older, within
 * `SAME_PICTURE`. Compares all hashes, because no index supports the Hamming distance.
 */
export function seenStatement(postId: number): Prisma.Sql {
  return Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT * FROM picture_hash WHERE post_id = ${postId}::int AND dhash IS NOT NULL
    ), earlier AS MATERIALIZED (
      SELECT * FROM picture_hash WHERE id < (SELECT max(id) + ${MAX_LATER} FROM own) AND dhash IS NOT NULL
       ORDER BY id DESC LIMIT ${MAX_COMPARED}
    ), alike AS MATERIALIZED (
      SELECT own.medium, own.id AS own_id, own.post_id AS own_post_id, e.id, e.post_id, e.medium AS post_medium,
             (bit_count(e.dhash # own.dhash) + bit_count(e.phash # own.phash))::int AS distance
        FROM own JOIN earlier e ON e.post_id <> own.post_id
       WHERE bit_count(e.dhash # own.dhash) + bit_count(e.phash # own.phash) <= ${SAME_PICTURE}
    )
    SELECT DISTINCT ON (a.medium) a.medium::int, a.post_id, a.post_medium::int, a.distance, p.author_account,
           p.approved, q.state AS queue_status, p.reviewed_at, p.created_at
      FROM alike a JOIN post p ON p.id = a.post_id JOIN post o ON o.id = a.own_post_id
           LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE a.id < a.own_id OR (p.created_at, p.id) < (o.created_at, o.id)
     ORDER BY a.medium, a.distance, a.id DESC`;
}

/** Rows of `seenStatement`. */
export async function seenRows(postId: number): Promise<SeenRow[]> {
  return db.$queryRaw<SeenRow[]>(seenStatement(postId));
}

/** Key of a picture's addresses, independent of their order. */
export function sourceKey(urls: readonly string[]): string {
  return hash("sha256", [...urls].sort().join("\n"), "hex").slice(0, 20);
}

/** Stores the hashes of a medium. Never throws, because the picture must still be shown. */
export async function storeHashes(
  source: PictureSource,
  work: () => Promise<PictureHashes | null>,
): Promise<void> {
  if (source.medium === undefined) return;
  try {
    await insertPictureHash(source.post_id, source.medium, sourceKey(source.urls), await work());
  } catch (error) {
    log.warn({ err: error, post_id: source.post_id }, "picture hash not stored");
  }
}
