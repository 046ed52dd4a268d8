import { foldHashtag, normaliseHashtag } from "#lib/fediverse/hashtag.ts";
import { parseCsv, readCsvCell, type CsvRecord } from "#lib/http/csv.ts";
import type { HashtagEntry, UserPattern } from "./block-rows.ts";
import { blockFields, patternTypes, type StoredPatternType } from "./schema.ts";
import { normaliseUserPattern } from "./user-patterns.ts";

export interface ReadList<Entry> {
  /** Without duplicates, in the order of the text. */
  entries: Entry[];
  ignored: number;
  unreadable: { line: number; text: string; message: string }[];
}

type Reading =
  { type: StoredPatternType; pattern: string; notes?: string } | { ignored: true } | { message: string };

/** Columns in exports of Mastodon (without its leading `#`) and of this service. */
const DOMAIN = "domain";
const ACCOUNTS = ["account_identifier", "account address", "account"];
const COMMENTS = ["notes", "public_comment", "private_comment", "comment"];
/** Severities of a domain block that limit nothing. */
const HARMLESS = new Set(["noop", "none"]);
const MAX_NOTES = 2_000;
const exportedUserColumns = [...blockFields.user, "subdomains"];

/**
 * Reads plain lists with `#` comments, Mastodon's exports of blocked domains, blocked and muted accounts, and this
 * service's exports. A blocked domain includes its subdomains, as in Mastodon.
 */
export function readUserList(text: string): ReadList<UserPattern> {
  const exported = readExport(text, "blocked_users", exportedUserColumns);
  const lines = exported ?? parseCsv(text);
  const header = exported ? exportedUserColumns : headerOf(lines[0]);
  const records = header === null || exported ? lines : lines.slice(1);
  const list: ReadList<UserPattern> = { entries: [], ignored: 0, unreadable: [] };
  for (const record of records) {
    const reading = header === null ? readLine(record.cells[0] ?? "") : readRecord(header, record);
    if (reading === null) continue;
    if ("ignored" in reading) list.ignored++;
    else if ("message" in reading) list.unreadable.push(unreadable(record, reading.message));
    else {
      const check = normaliseUserPattern(reading.pattern, reading.type);
      const notes = reading.notes?.trim().slice(0, MAX_NOTES) || null;
      if (!check.ok) list.unreadable.push(unreadable(record, check.reason));
      else list.entries.push({ account_identifier: check.pattern, pattern_type: reading.type, notes });
    }
  }
  return { ...list, entries: withoutRepeats(joinDomains(list.entries)) };
}

/** Earlier exports have a domain as two suffixes, `@domain` and `.domain`. */
function joinDomains(entries: UserPattern[]): UserPattern[] {
  const suffixes = new Set(
    entries.flatMap((each) => (each.pattern_type === "suffix" ? each.account_identifier : [])),
  );
  return entries.map((entry) => {
    const domain = entry.account_identifier.slice(1);
    const joined =
      entry.pattern_type === "suffix" && suffixes.has(`@${domain}`) && suffixes.has(`.${domain}`);
    return joined ? { ...entry, account_identifier: domain, pattern_type: "domain" } : entry;
  });
}

/** The first of equal patterns, and no suffix of a domain that is listed, too. */
function withoutRepeats(entries: UserPattern[]): UserPattern[] {
  const domains = new Set(
    entries.flatMap((each) => (each.pattern_type === "domain" ? each.account_identifier : [])),
  );
  const known = new Set<string>();
  return entries.filter(({ account_identifier, pattern_type }) => {
    const key = `${pattern_type} ${account_identifier}`;
    const covered =
      pattern_type === "suffix" &&
      /^[@.]/.test(account_identifier) &&
      domains.has(account_identifier.slice(1));
    if (covered || known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** One hashtag a line, with or without `#`, notes after a comma; or this service's exports. */
export function readHashtagList(text: string): ReadList<HashtagEntry> {
  const exported = readExport(text, "blocked_hashtags", blockFields.hashtag);
  const records = exported ?? parseCsv(text);
  const hasHeader =
    exported === null && records[0]?.cells[0]?.trim() === "hashtag" && records[0].cells.length > 1;
  const list: ReadList<HashtagEntry> = { entries: [], ignored: 0, unreadable: [] };
  const known = new Set<string>();
  for (const record of hasHeader ? records.slice(1) : records) {
    const [first = "", second = ""] = record.cells;
    const hashtag = normaliseHashtag(readCsvCell(first.trim()));
    if (hashtag === null) {
      list.unreadable.push(unreadable(record, "is not a hashtag"));
      continue;
    }
    const hashtag_folded = foldHashtag(hashtag);
    if (known.has(hashtag_folded)) continue;
    known.add(hashtag_folded);
    const notes = readCsvCell(second.trim()).slice(0, MAX_NOTES) || null;
    list.entries.push({ hashtag, hashtag_folded, notes });
  }
  return list;
}

/** One list of the file of `GET /export`; null when the text is not such a file. */
function readExport(text: string, list: string, cells: readonly string[]): CsvRecord[] | null {
  if (!text.trimStart().startsWith("{")) return null;
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  const { format, [list]: entries } = file as Record<string, unknown>;
  if (format !== "sluice-export") return null;
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown, index) => ({
    line: index + 1,
    cells: cells.map((name) => {
      const value = (entry as Record<string, unknown> | null)?.[name];
      return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
    }),
  }));
}

function unreadable(record: CsvRecord, message: string) {
  return { line: record.line, text: record.cells.join(",").trim().slice(0, 200), message };
}

function headerOf(first: CsvRecord | undefined): string[] | null {
  const names = first?.cells.map((cell) => cell.trim().replace(/^#/, "").toLowerCase()) ?? [];
  return names[0] === DOMAIN || ACCOUNTS.includes(names[0] ?? "") ? names : null;
}

function readRecord(header: readonly string[], record: CsvRecord): Reading | null {
  const column = (names: string[]) => {
    const index = header.findIndex((name) => names.includes(name));
    return readCsvCell((record.cells[index] ?? "").trim());
  };
  const notes = column(COMMENTS);
  const first = readCsvCell((record.cells[0] ?? "").trim());
  if (header[0] === DOMAIN) {
    if (HARMLESS.has(column(["severity"]).toLowerCase())) return { ignored: true };
    return first.includes("*")
      ? { message: "is made unreadable (obfuscated) in this list" }
      : domain(first, notes);
  }
  const type = column(["pattern_type"]);
  if (type === "") return first === "" ? null : { type: "exact", pattern: first, notes };
  const known = patternTypes.find((each) => each === type.toLowerCase());
  if (known === undefined)
    return { message: `has a pattern_type that is none of ${patternTypes.join(", ")}` };
  const below = known === "suffix" && column(["subdomains"]).toLowerCase() === "true";
  return { type: below ? "domain" : known, pattern: first, notes };
}

/** Null for a comment. */
function readLine(cell: string): Reading | null {
  const line = readCsvCell(cell.trim());
  if (line === "" || line.startsWith("#")) return null;
  const [open, close] = [line.startsWith("*"), line.endsWith("*")];
  if (open || close) return { type: open ? (close ? "contains" : "suffix") : "prefix", pattern: line };
  const bare = line.replace(/^https?:\/\//i, "").replace(/\/+$/, "");
  return /[@/]/.test(bare) ? { type: "exact", pattern: line } : domain(bare);
}

function domain(pattern: string, notes?: string): Reading {
  if (!/^[^\s@/*]+\.[^\s@/*]+$/u.test(pattern)) return { message: "is neither an account nor a domain" };
  return { type: "domain", pattern, notes };
}
