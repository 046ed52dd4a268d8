import { now } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import type { FenLiuState } from "./convert-post.ts";
import { FenLiuFile, isFileError, refusal } from "./fenliu-file.ts";
import { importBatch, readBatch } from "./import-batch.ts";
import { importSettings, importStreams, type Skipped } from "./import-settings.ts";
import { lockEmptyPosts, skipIds } from "./sql.ts";

export interface ImportResult {
  settings: Awaited<ReturnType<typeof importSettings>>;
  streams: number;
  posts: Partial<Record<FenLiuState, number>>;
  /** Rows that are the same post as another one. */
  merged: number;
  /** Waiting posts and posts to review whose address only their server can name. */
  unverifiable: number;
  skipped: Skipped[];
}

/** Posts that are read while the database stores the former ones. */
const BATCH = 500;
/** Meanwhile nothing else can store a post. */
const TIMEOUT = { timeout: 3_600_000, maxWait: 10_000 };

class DryRunDone extends Error {}

/**
 * In one transaction, so that an interrupted import has changed nothing.
 * @throws ApiError bad_request: no database of FenLiu, or an installation with posts
 */
export async function importFenLiu(path: string, { dryRun = false } = {}): Promise<ImportResult> {
  const file = new FenLiuFile(path);
  let result: ImportResult | undefined;
  try {
    file.check();
    await db.$transaction(async (tx) => {
      result = await importFile(tx, file);
      // Sequences are not rolled back.
      if (dryRun) throw new DryRunDone();
      await skipIds(tx, "post", file.highestId());
      await skipIds(tx, "stream", Math.max(...file.rows("hashtag_streams").map(({ id }) => Number(id))));
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
  const startedAt = now();
  const plan = file.plan(startedAt);
  const skipped: Skipped[] = [];
  const settings = await importSettings(tx, file, skipped);
  const streams = await importStreams(tx, file, skipped);
  const { merged } = plan;
  const result: ImportResult = {
    settings,
    streams: streams.size,
    posts: {},
    merged: merged.size,
    unverifiable: 0,
    skipped,
  };
  const read = async (after: number) => {
    const rows = file.posts(after, BATCH);
    const last = rows.at(-1)?.id;
    return last === undefined ? null : { last, posts: await readBatch(rows, merged, startedAt, skipped) };
  };
  let next = read(0);
  for (let batch = await next; batch !== null; batch = await next) {
    next = read(batch.last);
    // Awaited after the statements, which may fail first.
    next.catch(() => undefined);
    await importBatch(tx, batch.posts, { streams, plan, startedAt, result });
  }
  return result;
}
