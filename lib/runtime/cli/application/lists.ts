import { readFileSync, writeFileSync } from "node:fs";
import { principalOfMember } from "#lib/auth/authenticate.ts";
import { servicePrincipal, type Principal } from "#lib/auth/principal.ts";
import { importBlocks } from "#lib/blocking/blocks.ts";
import { exportCsv, previewImport } from "#lib/filters/block-lists.ts";
import { exportForMastodon, mastodonForms } from "#lib/filters/mastodon-lists.ts";
import { BlockListImport, type BlockKind } from "#lib/filters/schema.ts";
import type { ReadTable, UnreadableLine } from "#lib/http/read-table.ts";
import { sentenceOf } from "#lib/http/sentence-of.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { addStreams } from "#lib/streams/change-streams.ts";
import { writeOpml } from "#lib/streams/opml.ts";
import { readStreamList, writeStreamCsv } from "#lib/streams/stream-lists.ts";
import { readTopicalList, writeTopicalCsv } from "#lib/topical/rule-lists.ts";
import { addTopicalTags, listTopicalTags } from "#lib/topical/topical-tags.ts";
import { findMember } from "./accounts.ts";
import type { ApplicationCommand } from "./reply.ts";
import { allStreams } from "./streams.ts";

type Actor = Principal | typeof servicePrincipal;

/** Names as `POST …/import` of the block lists has them. */
interface Imported {
  added: number;
  existing: number;
  ignored: number;
  unreadable: UnreadableLine[];
  entries: unknown[];
}

interface List {
  write: (format: string) => Promise<{ text: string; entries: number; left_out: number }>;
  /** @param by null: a dry run */
  read: (text: string, by: Actor | null) => Promise<Imported>;
}

const lists: Record<string, List> = {
  streams: {
    write: async (format) => {
      const streams = await allStreams();
      const text = format === "opml" ? writeOpml(streams) : writeStreamCsv(streams);
      return { text, entries: streams.length, left_out: 0 };
    },
    read: (text, by) => importTable(readStreamList(text), by, addStreams),
  },
  "topical-tags": {
    write: async () => {
      const tags = await listTopicalTags();
      return { text: writeTopicalCsv(tags), entries: tags.length, left_out: 0 };
    },
    read: (text, by) => importTable(readTopicalList(text), by, addTopicalTags),
  },
  "blocked-users": {
    write: async (format) => {
      const form = mastodonForms.find((each) => each === format);
      if (form === undefined) return wholeBlockList("user");
      const { csv: text, ...counts } = await exportForMastodon(form);
      return { text, ...counts };
    },
    read: (text, by) => importBlockList("user", text, by),
  },
  "blocked-hashtags": {
    write: () => wholeBlockList("hashtag"),
    read: (text, by) => importBlockList("hashtag", text, by),
  },
};

async function wholeBlockList(kind: BlockKind) {
  let [text, entries] = ["", -1];
  for await (const lines of exportCsv(kind)) {
    text += lines;
    entries += lines.split("\r\n").length - 1;
  }
  return { text, entries, left_out: 0 };
}

async function importTable<Body>(
  { records, unreadable }: ReadTable<Body>,
  by: Actor | null,
  add: (by: Actor, bodies: Body[], options: { dryRun: boolean }) => Promise<unknown[]>,
): Promise<Imported> {
  const bodies = records.map(({ value }) => value);
  const entries = await add(by ?? servicePrincipal, bodies, { dryRun: by === null });
  return { added: entries.length, existing: bodies.length - entries.length, ignored: 0, unreadable, entries };
}

function importBlockList(kind: BlockKind, text: string, by: Actor | null): Promise<Imported> {
  return by === null ? previewImport(kind, text) : importBlocks(kind, by, { text });
}

export const listCommands: Record<string, ApplicationCommand> = Object.fromEntries(
  Object.entries(lists).flatMap(([name, list]): [string, ApplicationCommand][] => [
    [`export ${name}`, (line) => exportList(name, list, line)],
    [`import ${name}`, (line) => importList(name, list, line)],
  ]),
);

const noun = (name: string) => name.replaceAll("-", " ");

async function exportList(
  name: string,
  { write }: List,
  { file, values: { format = "csv" } }: Parameters<ApplicationCommand>[0],
): ReturnType<ApplicationCommand> {
  const { text, ...counts } = await write(format);
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}.`);
  }
  const lines = [`Wrote ${counts.entries} ${noun(name)} to ${file}.`];
  if (counts.left_out > 0)
    lines.push(`Left out, because this format has no place for them: ${counts.left_out}.`);
  return { data: { file, format, ...counts }, lines };
}

async function importList(
  name: string,
  { read }: List,
  { file, flags, values: { email } }: Parameters<ApplicationCommand>[0],
): ReturnType<ApplicationCommand> {
  const dry_run = flags.has("dry-run");
  const text = readText(file);
  const by = email === undefined ? servicePrincipal : await managerOf(email);
  const seen = await read(text, null);
  if (seen.unreadable.length > 0 && !flags.has("skip-unreadable"))
    throw unreadableLines(file, seen.unreadable);
  const result = dry_run ? seen : await read(text, by);
  const lines = [
    dry_run ? "Dry run: nothing was changed." : `Imported ${file}.`,
    `${dry_run ? "To be added" : "Added"}: ${result.added} ${noun(name)}. There already: ${result.existing}.`,
  ];
  if (result.ignored > 0) lines.push(`Lines without effect: ${result.ignored}.`);
  if (result.unreadable.length > 0) lines.push(`Skipped lines: ${result.unreadable.length}.`);
  return { data: { ...result, dry_run }, lines };
}

/** The member of the action, with its undo. */
async function managerOf(email: string): Promise<Principal> {
  const principal = principalOfMember(await findMember(email), null);
  if (principal.scopes.includes("manage")) return { ...principal, source: "api" };
  throw new OperatorError(`The role of ${email} does not allow this.`);
}

/** As large as the API accepts one. */
function readText(file: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not UTF-8 text" : (error as Error).message;
    throw new OperatorError(`${file} cannot be read: ${reason}.`);
  }
  const result = BlockListImport.safeParse({ text }, { error: sentenceOf });
  if (result.success) return result.data.text;
  throw new OperatorError(`${file} ${result.error.issues[0]?.message}.`);
}

const SHOWN_LINES = 20;

function unreadableLines(file: string, unreadable: readonly UnreadableLine[]): OperatorError {
  const shown = unreadable
    .slice(0, SHOWN_LINES)
    .map(({ line, text, message }) => `  line ${line} ${message}: ${JSON.stringify(text)}`);
  const more = unreadable.length - shown.length;
  return new OperatorError(
    [
      `Nothing was changed: ${unreadable.length} lines of ${file} cannot be read. --skip-unreadable takes the others.`,
      ...shown,
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join("\n"),
  );
}
