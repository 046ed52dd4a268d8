import { z } from "zod";
import { now } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { autoReason, stateOf, type FenLiuState } from "./convert-post.ts";
import { FenLiuFile, isFileError } from "./fenliu-file.ts";
import { importBatch, readBatch, type Imported } from "./import-batch.ts";
import { importSettings, importStreams, skipStreamIds, startImportedStreams } from "./import-settings.ts";
import type { ImportedStream, Skipped, TakenSettings } from "./import-settings.ts";
import { countPost, noCounts, planImport, type Counts } from "./plan.ts";
import { addToTotals, lockEmptyPosts, skipIds } from "./sql.ts";

export interface ImportResult {
  settings: Omit<TakenSettings, "skipped">;
  streams: number;
  posts: Partial<Record<FenLiuState, number>>;
  /** Rows that are the same post as another one. */
  merged: number;
  /** Waiting posts and posts to review whose address only their server can name. */
  unverifiable: number;
  skipped: Skipped[];
  /** FenLiu's totals, deleted posts included. */
  totals: Counts;
}

type Progress = Omit<ImportResult, "merged" | "totals"> & {
  stream_ids: [number, ImportedStream][];
  counts: Counts;
};

/** The database that is imported; stored between the batches. */
export const fenLiuImport = setting(
  "fenliu_import",
  z.object({
    /** SHA-256 of its posts. Another database is refused. */
    fingerprint: z.string().default(""),
    started_at: z.coerce.date().default(new Date(0)),
    finished: z.boolean().default(false),
    /** Posts up to this id are imported. */
    done_to: z.int().default(0),
    /** Null: none was imported. */
    progress: z.custom<Progress>().nullable().default(null),
  }),
);

/** Posts of one transaction. */
const BATCH = 500;
const TIMEOUT = 120_000;

/** Runs the work of a transaction: the real one, or that of the dry run. */
type Step = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

class DryRunDone extends Error {}

/**
 * Goes on where it was interrupted. A finished import changes nothing.
 *
 * @throws ApiError bad_request: no database of FenLiu, another one than before, or an installation with posts
 */
export async function importFenLiu(path: string, { dryRun = false } = {}): Promise<ImportResult> {
  const file = new FenLiuFile(path);
  try {
    file.check();
    if (!dryRun) return await importFile(file, (work) => inTransaction(work, TIMEOUT), dryRun);
    let result: ImportResult | null = null;
    await db
      .$transaction(
        async (tx) => {
          result = await importFile(file, (work) => work(tx), dryRun);
          throw new DryRunDone();
        },
        { timeout: 3_600_000, maxWait: 10_000 },
      )
      .catch((error: unknown) => {
        if (!(error instanceof DryRunDone)) throw error;
      });
    return result as unknown as ImportResult;
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new ApiError("bad_request", { message: `The file cannot be read: ${error.message}` });
  } finally {
    file.close();
  }
}

async function importFile(file: FenLiuFile, step: Step, dryRun: boolean): Promise<ImportResult> {
  const begun = await step((tx) => begin(tx, file, dryRun));
  const { startedAt } = begun;
  let { progress } = begun;
  const plan = planImport(file, startedAt);
  const streams = new Map(progress.stream_ids);
  let doneTo = begun.doneTo;
  const read = async (after: number) => {
    const rows = file.posts(after, BATCH);
    const last = rows.at(-1)?.id;
    return last === undefined ? null : { last, ...(await readBatch(rows, plan, startedAt)) };
  };
  // The next batch is read while the database stores this one.
  let next = read(doneTo);
  for (let batch = await next; batch !== null; batch = await next) {
    const { last, ...rows } = batch;
    const from = doneTo;
    next = read(last);
    // Awaited after the transaction, which may fail first.
    next.catch(() => undefined);
    progress = await step(async (tx) => {
      // Another process may have imported this batch.
      const stored = await fenLiuImport.lock(tx);
      if (stored.progress === null || stored.done_to !== from)
        throw new ApiError("bad_request", { message: "Another import is going on" });
      const reached = stored.progress;
      add(reached, await importBatch(tx, rows, streams, plan, startedAt, reached.counts));
      await fenLiuImport.set({ done_to: last, progress: reached }, tx);
      return reached;
    });
    doneTo = last;
  }
  const totals = totalsOf(file);
  if (!begun.finished) await step((tx) => finish(tx, file, streams, progress, totals));
  const { stream_ids: _, counts: __, ...shown } = progress;
  return { ...shown, merged: plan.merged.size, totals };
}

interface Begun {
  startedAt: Date;
  doneTo: number;
  finished: boolean;
  progress: Progress;
}

async function begin(tx: Tx, file: FenLiuFile, dryRun: boolean): Promise<Begun> {
  const fingerprint = file.fingerprint();
  const stored = await fenLiuImport.lock(tx);
  if (stored.progress !== null) {
    if (stored.fingerprint !== fingerprint)
      throw new ApiError("bad_request", {
        message: "Another database was imported here, or this one has changed since",
      });
    const { started_at: startedAt, done_to: doneTo, finished, progress } = stored;
    return { startedAt, doneTo, finished, progress };
  }
  if (!(await lockEmptyPosts(tx)))
    throw new ApiError("bad_request", {
      message: "This installation has posts. Only one without posts can take the ids of FenLiu",
    });
  const startedAt = now();
  const { skipped, ...settings } = await importSettings(tx, file);
  const imported = await importStreams(tx, file);
  // Sequences are not rolled back.
  if (!dryRun) {
    await skipIds(tx, "post", file.highestId());
    await skipStreamIds(tx, file);
  }
  const progress: Progress = {
    settings,
    streams: imported.streams.size,
    posts: {},
    unverifiable: 0,
    skipped: [...skipped, ...imported.skipped],
    stream_ids: [...imported.streams],
    counts: noCounts(),
  };
  await fenLiuImport.set({ fingerprint, started_at: startedAt, progress }, tx);
  return { startedAt, doneTo: 0, finished: false, progress };
}

function add(progress: Progress, imported: Imported): void {
  for (const [state, n] of Object.entries(imported.taken) as [FenLiuState, number][])
    progress.posts[state] = (progress.posts[state] ?? 0) + n;
  progress.unverifiable += imported.unverifiable;
  progress.skipped.push(...imported.skipped);
}

/** Posts that FenLiu has, and those that it has deleted. */
function totalsOf(file: FenLiuFile): Counts {
  const totals: Counts = { ...file.deletedPosts() };
  for (const head of file.heads()) countPost(totals, stateOf(head), autoReason(head) !== null);
  return totals;
}

async function finish(
  tx: Tx,
  file: FenLiuFile,
  streams: ReadonlyMap<number, ImportedStream>,
  progress: Progress,
  totals: Counts,
): Promise<void> {
  if ((await fenLiuImport.lock(tx)).finished) return;
  const names = Object.keys(totals) as (keyof Counts)[];
  await addToTotals(
    tx,
    Object.fromEntries(names.map((name) => [name, totals[name] - progress.counts[name]])),
  );
  await startImportedStreams(tx, file, streams);
  await fenLiuImport.set({ finished: true }, tx);
}
