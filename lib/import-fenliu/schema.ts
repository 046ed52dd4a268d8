import { z } from "zod";
import { isoTime, nullableString, queryInteger, stringField } from "#lib/http/fields.ts";

/** Bytes of an uploaded database. FenLiu stores about 1 KB a post. */
export const MAX_UPLOAD = 2 ** 31;
/** Bytes of one request: proxies pass 1 MiB by default. */
export const MAX_CHUNK = 2 ** 20;

export const UploadQuery = z.object({
  offset: queryInteger(0, MAX_UPLOAD, "Position of the first byte of the body; 0 begins a new upload."),
  size: queryInteger(1, MAX_UPLOAD, "Size of the whole file in bytes, at most 2 GiB."),
});
export type UploadQuery = z.output<typeof UploadQuery>;

const count = z.int().nonnegative();
const counts = z.record(z.string(), count);

export const ImportReport = z
  .object({
    dry_run: z.boolean().describe("True when nothing was changed."),
    finished_at: isoTime.describe("When it ended."),
    error: nullableString("Why it failed; null after a success.", "The file is damaged"),
    taken: counts.describe("Rows that are taken, by kind; empty after a failure."),
    not_taken: z
      .array(
        z.object({
          table: stringField("Table of FenLiu.", "posts"),
          reason: stringField("Why.", "has no address"),
          rows: count.describe("Number of rows."),
        }),
      )
      .describe("Rows that are not taken."),
    totals: counts.describe("FenLiu's totals, deleted posts included; empty after a failure."),
  })
  .meta({ id: "ImportReport" });
export type ImportReport = z.output<typeof ImportReport>;

export const ImportState = z
  .object({
    file: z
      .object({
        size: count.describe("Bytes of the whole file."),
        uploaded: count.describe("Bytes that have arrived, from the first one on."),
      })
      .nullable()
      .describe("The uploaded database; null for none."),
    running: z
      .object({
        dry_run: z.boolean().describe("Whether it is a dry run."),
        started_by: stringField("Name of the member.", "Ana"),
        started_at: isoTime.describe("When it was started."),
        progress: z.number().min(0).max(1).describe("Part of the posts that is done."),
      })
      .nullable()
      .describe("The dry run or import that is going on; null for none."),
    report: ImportReport.nullable().describe("The latest one that ended; null for none."),
  })
  .meta({ id: "ImportState" });
export type ImportState = z.output<typeof ImportState>;

export const ImportStart = z
  .object({ dry_run: z.boolean().describe("Change nothing and make a report.") })
  .meta({ id: "ImportStart", example: { dry_run: true } });
export type ImportStart = z.output<typeof ImportStart>;
