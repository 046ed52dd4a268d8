import type { z } from "zod";
import { sentenceOf } from "#lib/base/http/sentence-of.ts";
import type { CommandLine } from "#lib/runtime/cli/commands.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

export type Reply = {
  /** For --json, with the names of the API. */
  data: unknown;
  /** For people. */
  lines: string[];
  /** Exit code 1. */
  isFailure?: boolean;
};

/** @param input reads the password from standard input */
export type ApplicationCommand = (line: CommandLine, input: () => Promise<string>) => Promise<Reply>;

/** @throws OperatorError with a sentence for each option that the schema refuses */
export function parseOptions<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const result = schema.safeParse(values, { error: sentenceOf });
  if (result.success) return result.data;
  throw new OperatorError(
    result.error.issues.map((issue) => `--${optionOf(issue.path[0])} ${issue.message}.`).join("\n"),
  );
}

/** Fields of the API whose options have shorter names. */
function optionOf(field: PropertyKey | undefined): string {
  const shorter: Record<string, string> = { stream_ids: "streams", expires_at: "expires" };
  return shorter[String(field)] ?? String(field);
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
