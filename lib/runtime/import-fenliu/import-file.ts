import { now } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import type { FenLiuState } from "./convert-post.ts";
import { FenLiuFile, isFileError, refusal } from "./fenliu-file.ts";
import { importBatch } from "./import-posts.ts";
import { importSettings, importStreams, type Skipped } from "./import-settings.ts";

export interface ImportResult {
  settings: Awaited<ReturnType<typeof importSettings>>;
  streams: number;
  posts: Partial<Record<FenLiuState, number>>;
  /** Number of rows that are the same post as another row. */
  merged: number;
  /** Number of waiting and unreviewed posts whose address only their server can name. */
  unverifiable: number;
  skipped: Skipped[];
}

const BATCH = 500;
/** Highest id that is imported, so that new rows have enough integers left. */
const MAX_ID = 2_000_000_000;
/** Time for the import. Meanwhile nothing else can store a post. */
const TIMEOUT = { timeout: 3_600_000, maxWait: 10_000 };

class DryRunDone extends Error {}

/**
 * Imports a database of FenLiu in one transaction, so that an interrupted import has changed nothing.
 * @throws ApiError bad_request: no database of FenLiu, or an installation with posts
 */
export async function importFenLiu(path: string, { dryRun = false } = {}): Promise<ImportResult> {
  const file = new FenLiuFile(path);
  let result: ImportResult | undefined;
  try {
    await db.$transaction(async (tx) => {
      result = await importFile(tx, file);
      // Sequences are not rolled back.
      if (dryRun) throw new DryRunDone();
      await skipIds(tx, "post", file.highestId());
      await skipIds(tx, "stream", file.highestStreamId());
    }, TIMEOUT);
  } catch (error) {
    if (isFileError(error)) throw refusal(`The file cannot be read: ${error.message}`);
    if (!(error instanceof DryRunDone)) throw error;
  } finally {
    file.close();
  }
  return result as ImportResult;
}

async function importFile(tx: Tx, file: FenLiuFile): Promise<ImportResult> {
  if (!(await lockEmptyPosts(tx)))
    throw refusal("This installation has posts. Only one without posts can take the ids of FenLiu");
  if (Math.max(file.highestId(), file.highestStreamId()) > MAX_ID)
    throw refusal(`The file has ids above ${MAX_ID}, which Sluice cannot keep`);
  const startedAt = now();
  const merged = file.mergePosts();
  const approvedAt = file.approvals(startedAt);
  const skipped: Skipped[] = [];
  const settings = await importSettings(tx, file, skipped);
  const streams = await importStreams(tx, file, skipped);
  const result: ImportResult = {
    settings,
    streams: streams.size,
    posts: {},
    merged,
    unverifiable: 0,
    skipped,
  };
  for (let rows = file.posts(0, BATCH); rows.length > 0; rows = file.posts(rows.at(-1)?.id ?? 0, BATCH))
    await importBatch(tx, rows, { streams, approvedAt, startedAt, result });
  return result;
}

/** Keeps posts from being stored until the transaction ends. @returns whether there are none */
async function lockEmptyPosts(tx: Tx): Promise<boolean> {
  await tx.$executeRaw`LOCK TABLE post IN SHARE ROW EXCLUSIVE MODE`;
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM post LIMIT 1`;
  return rows.length === 0;
}

/** Moves the sequence, so that new rows get ids above `highest`. */
async function skipIds(tx: Tx, table: "post" | "stream", highest: number): Promise<void> {
  await tx.$executeRaw`
    SELECT setval(s, greatest(${highest}::bigint, pg_sequence_last_value(s), 1))
      FROM CAST(pg_get_serial_sequence(${table}, 'id') AS regclass) s`;
}
