import { existsSync } from "node:fs";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { now, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { importFenLiu, type ImportResult } from "./import-file.ts";
import type { ImportReport } from "./schema.ts";
import { readState, removeState, Report, Request, uploadPath, writeState } from "./upload-folder.ts";

/**
 * Does what `request.json` asks, and leaves a report. After an interruption, or while the database is away, the request
 * stays, and the next call goes on.
 */
export async function runRequest(): Promise<void> {
  const request = readState("request", Request);
  if (request === null) return;
  // Interrupted while it ended.
  if (!existsSync(uploadPath("database")) && readState("report", Report) !== null)
    return removeState("request");
  try {
    const result = await importFenLiu(uploadPath("database"), {
      dryRun: request.dry_run,
      onProgress: (doneTo, highest) => writeState("progress", { part: Math.min(1, doneTo / highest) }),
    });
    if (!request.dry_run) await recordImport(request, result);
    writeState("notTaken", result.skipped);
    endRequest(reportOf(request, result));
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === "import_running" || (error instanceof ApiError && error.status === 503)) throw error;
    if (code !== "bad_request") log.error({ err: error }, "import of FenLiu failed");
    failRequest(code === "bad_request" ? (error as Error).message : "The import failed. The log says why");
  }
}

/** Ends the request without a result. */
export function failRequest(error: string): void {
  const request = readState("request", Request);
  if (request === null) return;
  endRequest({
    dry_run: request.dry_run,
    finished_at: toIso(now()),
    error,
    taken: {},
    not_taken: [],
    totals: {},
  });
}

function endRequest(report: ImportReport): void {
  writeState("report", report);
  // It has texts of posts that may be deleted later.
  if (!report.dry_run && report.error === null) removeState("database", "upload");
  removeState("progress", "request");
}

async function recordImport(
  { started_by, member_id }: Request,
  { posts, streams }: ImportResult,
): Promise<void> {
  await recordAudit(
    db,
    { label: started_by, member_id: member_id ?? 0, key_id: null, source: "screen" },
    { action: "fenliu_import.finish", subject: "FenLiu", after: { streams, ...posts } },
  );
}

/** Rows that are taken, by kind. */
export function takenOf({ settings, streams, posts, merged }: ImportResult): Record<string, number> {
  const ofPosts = Object.entries(posts).map(([state, n]): [string, number] => [`posts_${state}`, n]);
  return { streams, ...settings, ...Object.fromEntries(ofPosts), posts_merged: merged };
}

/** Rows that are not taken, by table and reason. */
export function notTakenOf({ skipped }: ImportResult): ImportReport["not_taken"] {
  const groups = Map.groupBy(skipped, ({ table, reason }) => `${table}\t${reason}`);
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    return first === undefined ? [] : [{ table: first.table, reason: first.reason, rows: rows.length }];
  });
}

function reportOf({ dry_run }: Request, result: ImportResult): ImportReport {
  return {
    dry_run,
    finished_at: toIso(now()),
    error: null,
    taken: takenOf(result),
    not_taken: notTakenOf(result),
    totals: result.totals,
  };
}
