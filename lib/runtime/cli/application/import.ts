import { writeFileSync } from "node:fs";
import { csvLine } from "#lib/http/csv.ts";
import { importFenLiu, type ImportResult } from "#lib/import-fenliu/import-file.ts";
import { notTakenOf, takenOf } from "#lib/import-fenliu/run-request.ts";
import { fromCaller } from "#lib/runtime/cli/commands.ts";
import { type ApplicationCommand, table } from "./reply.ts";

export const importCommands: Record<string, ApplicationCommand> = {
  "import-fenliu": async ({ file, flags, values: { csv } }) => {
    const dryRun = flags.has("dry-run");
    const result = await importFenLiu(file, { dryRun });
    if (csv !== undefined) writeFileSync(fromCaller(csv), csvOf(result));
    return { data: { dry_run: dryRun, ...result }, lines: describe(result, dryRun) };
  },
};

function csvOf({ skipped }: ImportResult): string {
  const rows = skipped.map(({ table: name, id, reason }) => csvLine([name, String(id), reason]));
  return [csvLine(["table", "id", "reason"]), ...rows].join("");
}

function describe(result: ImportResult, dryRun: boolean): string[] {
  const { unverifiable, totals } = result;
  const lost = notTakenOf(result).map(({ table: name, reason, rows }) => [name, reason, String(rows)]);
  return [
    dryRun ? "Dry run: nothing was changed." : "The import is complete.",
    "",
    ...table(["Taken", "Rows"], rowsOf(takenOf(result))),
    "",
    ...(lost.length === 0 ? ["Every row is taken."] : table(["Not taken", "Reason", "Rows"], lost)),
    "",
    ...table(["Total", "Posts"], rowsOf(totals)),
    "",
    `Posts whose own servers have to name their address first: ${unverifiable}`,
  ];
}

const rowsOf = (counts: Record<string, number>) =>
  Object.entries(counts).map(([name, n]) => [name.replaceAll("_", " "), String(n)]);
