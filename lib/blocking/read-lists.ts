import { validationError } from "#lib/base/errors.ts";
import { parseCsv, readCsvCell, type CsvRecord } from "#lib/base/http/csv.ts";
import { patternTypes, type StoredPatternType } from "./schema.ts";
import { normaliseUserPattern, type Entry } from "./user-patterns.ts";

export interface ReadList {
  /** Without duplicates, in the order of the text. */
  entries: Entry[];
  /** Lines that block nobody, such as a domain with severity `noop`. */
  ignored: number;
  /** Domains that the list only limits (Mastodon's `silence`); they are among the entries. */
  limited: number;
  unreadable: { line: number; text: string; message: string }[];
}

type Reading =
  | { type: StoredPatternType; pattern: string; notes?: string; limited?: boolean }
  | { ignored: true }
  | { message: string };

/** Headings in exports of Mastodon (without its leading `#`), of other services and of this one. */
const DOMAINS = ["domain", "instance", "host"];
const ACCOUNTS = ["account_identifier", "account address", "account"];
const COMMENTS = ["notes", "public_comment", "private_comment", "comment"];
/** Severities of a domain block that limit nothing. */
const HARMLESS = new Set(["noop", "none"]);
const LIMITS = new Set(["silence", "limit"]);
const MAX_NOTES = 2_000;

/**
 * Reads plain lists with `#` comments, Mastodon's exports of blocked domains, blocked and muted accounts, and this
 * service's exports. A blocked domain includes its subdomains, as in Mastodon.
 *
 * @throws ApiError 422 when the headings are those of another list
 */
export function readUserList(text: string): ReadList {
  const lines = parseCsv(text);
  const header = headerOf(lines[0]);
  if (header !== null) refuseOtherLists(header, lines[0]?.cells[0] ?? "");
  const records = header === null ? lines : lines.slice(1);
  const list: ReadList = { entries: [], ignored: 0, limited: 0, unreadable: [] };
  for (const record of records) {
    const reading = header === null ? readLine(record.cells[0] ?? "") : readRecord(header, record);
    if (reading === null) continue;
    if ("ignored" in reading) list.ignored++;
    else if ("message" in reading) list.unreadable.push(unreadable(record, reading.message));
    else {
      const check = normaliseUserPattern(reading.pattern, reading.type);
      const notes = reading.notes?.trim().slice(0, MAX_NOTES) || null;
      if (!check.ok) list.unreadable.push(unreadable(record, check.reason));
      else {
        list.entries.push({ pattern: check.pattern, pattern_type: reading.type, written: null, notes });
        if (reading.limited === true) list.limited++;
      }
    }
  }
  const alike = Map.groupBy(list.entries, ({ pattern_type, pattern }) => `${pattern_type} ${pattern}`);
  return { ...list, entries: [...alike.values()].flatMap(([first]) => first ?? []) };
}

function unreadable(record: CsvRecord, message: string) {
  return { line: record.line, text: record.cells.join(",").trim().slice(0, 200), message };
}

/** Names of the columns, or null when the first record is an entry: accounts and domains have a dot or an `@`. */
function headerOf(first: CsvRecord | undefined): string[] | null {
  const names = first?.cells.map((cell) => cell.trim().replace(/^#/, "").toLowerCase()) ?? [];
  const known = names.some((name) => DOMAINS.includes(name) || ACCOUNTS.includes(name));
  return known && names.every((name) => /^[\w -]*$/.test(name)) ? names : null;
}

/**
 * Refuses Mastodon's exports of other lists. They differ in their headings only: that of blocked accounts has none, that of
 * blocked domains a severity.
 */
function refuseOtherLists(names: readonly string[], first: string): void {
  const has = (...some: string[]) => some.some((name) => names.includes(name));
  if (has("show boosts", "notify on new posts", "languages"))
    throw refusal("This is a list of accounts that somebody follows");
  if (has("list name")) throw refusal("These are accounts of somebody's lists");
  if (names.length > 1) return;
  const listed = has("account address")
    ? "accounts that follow somebody"
    : first.trim() === "#domain" && "domains that a server allows";
  if (listed)
    throw refusal(`This may be a list of ${listed}. Remove its first line if they are to be blocked`);
}

const refusal = (message: string) => validationError([{ path: "text", message }]);

function readRecord(header: readonly string[], record: CsvRecord): Reading | null {
  const column = (...names: string[]) => {
    const index = header.findIndex((name) => names.includes(name));
    return readCsvCell((record.cells[index] ?? "").trim());
  };
  const notes = column(...COMMENTS);
  const account = column(...ACCOUNTS);
  if (!header.some((name) => ACCOUNTS.includes(name))) {
    const severity = column("severity").toLowerCase();
    if (HARMLESS.has(severity)) return { ignored: true };
    const written = column(...DOMAINS);
    if (written === "") return null;
    return { ...(wildcard(written) ?? domain(written)), notes, limited: LIMITS.has(severity) };
  }
  const type = column("pattern_type");
  if (type === "") return account === "" ? null : { ...entryOf(account), notes };
  const known = patternTypes.find((each) => each === type.toLowerCase());
  if (known === undefined)
    return { message: `has a pattern_type that is none of ${patternTypes.join(", ")}` };
  const below = known === "suffix" && column("subdomains").toLowerCase() === "true";
  return { type: below ? "domain" : known, pattern: account, notes };
}

/** Reads a line of a list without headings; null for a comment. */
function readLine(cell: string): Reading | null {
  const line = (readCsvCell(cell.trim()).split(/[,;\t]/, 1)[0] ?? "").trim();
  return line === "" || line.startsWith("#") ? null : entryOf(line);
}

function entryOf(written: string): Reading {
  const bare = written.replace(/^https?:\/\//i, "").replace(/\/+$/, "");
  if (POST.test(bare)) return { message: "is the address of a post" };
  return wildcard(written) ?? (/[@/]/.test(bare) ? { type: "exact", pattern: written } : domain(bare));
}

/** Path of a post on Mastodon and its relatives, and on Misskey: an export of bookmarks has such addresses. */
const POST = /^[^/]+\/(?:@[^/]+\/.|users\/[^/]+\/statuses\/|notes\/|objects\/|p\/|notice\/)/i;

/**
 * Reads an entry with a `*`; null without one. `*.host` and `*@host` are clear. Any other `*` may stand for letters that a
 * public list hides, for every top-level domain, or for the rest of a user name.
 */
function wildcard(written: string): Reading | null {
  if (!written.includes("*")) return null;
  return /^\*[.@][^\s@/*]+\.[^\s@/*]+$/u.test(written)
    ? { type: "suffix", pattern: written }
    : { message: "has a * that can mean several things" };
}

function domain(pattern: string): Reading {
  if (!/^[^\s@/*]+\.[^\s@/*]+$/u.test(pattern)) return { message: "is neither an account nor a domain" };
  return { type: "domain", pattern };
}
