import { importFenLiu, type ImportResult } from "#lib/runtime/import-fenliu/import-file.ts";
import { type ApplicationCommand, table } from "./reply.ts";

export const importCommands: Record<string, ApplicationCommand> = {
  "import-fenliu": async ({ file, flags }) => {
    const dryRun = flags.has("dry-run");
    const result = await importFenLiu(file, { dryRun });
    return { data: { dry_run: dryRun, ...result }, lines: describe(result, dryRun) };
  },
};

function describe(result: ImportResult, dryRun: boolean): string[] {
  const { settings, streams, posts, merged, skipped, unverifiable, totals } = result;
  const ofPosts = Object.entries(posts).map(([state, n]) => [`posts ${state}`, n] as const);
  const taken = { streams, ...settings, ...Object.fromEntries(ofPosts), "posts merged": merged };
  const lost = Map.groupBy(skipped, ({ table: name, reason }) => `${name}\t${reason}`);
  const lostRows = [...lost].map(([key, rows]) => [...key.split("\t"), String(rows.length)]);
  return [
    dryRun ? "Dry run: nothing was changed." : "The import is complete.",
    "",
    ...table(["Taken", "Rows"], rowsOf(taken)),
    "",
    ...(lostRows.length === 0 ? ["Every row is taken."] : table(["Not taken", "Reason", "Rows"], lostRows)),
    "",
    ...table(["Total", "Posts"], rowsOf(totals)),
    "",
    `Posts whose own servers have to name their address first: ${unverifiable}`,
  ];
}

const rowsOf = (counts: Record<string, number>) =>
  Object.entries(counts).map(([name, n]) => [name.replaceAll("_", " "), String(n)]);
