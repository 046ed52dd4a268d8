import { writeFileSync } from "node:fs";
import { csvLine } from "#lib/http/csv.ts";
import { importFenLiu, type ImportResult } from "#lib/import-fenliu/import-file.ts";
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
  const { settings, streams, posts, merged, unverifiable, skipped, totals } = result;
  const taken = { streams, ...settings, ...prefixed("posts", posts), "posts merged with another": merged };
  const reasons = Map.groupBy(skipped, ({ table: name, reason }) => `${name}\t${reason}`);
  const lost = [...reasons].map(([key, { length }]) => [...key.split("\t"), String(length)]);
  return [
    dryRun ? "Dry run: nothing was changed." : "The import is complete.",
    "",
    ...table(["Taken", "Rows"], rowsOf(taken)),
    "",
    ...(lost.length === 0 ? ["Every row is taken."] : table(["Not taken", "Reason", "Rows"], lost)),
    "",
    ...table(["Total", "Posts"], rowsOf(totals)),
    "",
    `Posts whose own servers have to name their address first: ${unverifiable}`,
  ];
}

const prefixed = (prefix: string, counts: object) =>
  Object.fromEntries(Object.entries(counts).map(([name, n]) => [`${prefix} ${name}`, n as number]));

const rowsOf = (counts: Record<string, number>) =>
  Object.entries(counts).map(([name, n]) => [name.replaceAll("_", " "), String(n)]);
