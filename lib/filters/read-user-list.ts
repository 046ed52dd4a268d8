import { readCsvCell } from "#lib/http/csv.ts";
import { normaliseUserPattern } from "./normalise-user-pattern.ts";
import { parseCsv, type CsvRecord } from "./parse-csv.ts";
import { readExport } from "./read-export.ts";
import { patternTypes, type PatternType } from "./schema.ts";
import type { UserPattern } from "./sql.ts";

export interface Unreadable {
  line: number;
  text: string;
  message: string;
}

export interface ReadList<Entry> {
  /** Each once, in the order of the text. */
  entries: Entry[];
  ignored: number;
  unreadable: Unreadable[];
}

type Reading =
  { patterns: [PatternType, string][]; notes?: string } | { ignored: true } | { message: string };

/** Names of columns in the exports of Mastodon and of this service, without the `#` that Mastodon writes. */
const DOMAIN = "domain";
const ACCOUNTS = ["account_identifier", "account address", "account"];
const COMMENTS = ["notes", "public_comment", "private_comment", "comment"];
/** Of this service's own exports. */
const OWN_COLUMNS = ["account_identifier", "pattern_type", "notes"];
/** Severities of a domain block that limit nothing. */
const HARMLESS = new Set(["noop", "none"]);

/**
 * Reads a list of blocked users as people and other software write it: one account, domain or `*` pattern a line, `#`
 * before comments; Mastodon's exports of blocked domains (`#domain,#severity,…`), blocked and muted accounts; this
 * service's own exports. A blocked domain is two patterns, as in Mastodon it covers all hosts below it.
 */
export function readUserList(text: string): ReadList<UserPattern> {
  const exported = readExport(text, "blocked_users", OWN_COLUMNS);
  const lines = exported ?? parseCsv(text);
  const header = exported ? OWN_COLUMNS : headerOf(lines[0]);
  const records = header === null || exported ? lines : lines.slice(1);
  const list: ReadList<UserPattern> = { entries: [], ignored: 0, unreadable: [] };
  const known = new Set<string>();
  for (const record of records) {
    const reading = header === null ? readLine(record.cells[0] ?? "") : readRecord(header, record);
    if (reading === null) continue;
    if ("ignored" in reading) list.ignored++;
    else if ("message" in reading) list.unreadable.push(unreadable(record, reading.message));
    else {
      const checks = reading.patterns.map(([type, pattern]) => ({
        type,
        ...normaliseUserPattern(pattern, type),
      }));
      const wrong = checks.find((check) => !check.ok);
      if (wrong !== undefined && !wrong.ok) list.unreadable.push(unreadable(record, wrong.reason));
      for (const check of wrong === undefined ? checks : []) {
        if (!check.ok || known.has(`${check.type} ${check.pattern}`)) continue;
        known.add(`${check.type} ${check.pattern}`);
        const notes = reading.notes?.trim().slice(0, 2000) || null;
        list.entries.push({ account_identifier: check.pattern, pattern_type: check.type, notes });
      }
    }
  }
  return list;
}

export function unreadable(record: CsvRecord, message: string): Unreadable {
  return { line: record.line, text: record.cells.join(",").trim().slice(0, 200), message };
}

function headerOf(first: CsvRecord | undefined): string[] | null {
  const names = first?.cells.map((cell) => cell.trim().replace(/^#/, "").toLowerCase()) ?? [];
  return names[0] === DOMAIN || ACCOUNTS.includes(names[0] ?? "") ? names : null;
}

/** A line of a file whose first line named its columns. */
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
  if (type === "") return first === "" ? null : { patterns: [["exact", first]], notes };
  const known = patternTypes.find((each) => each === type.toLowerCase());
  if (known === undefined)
    return { message: `has a pattern_type that is none of ${patternTypes.join(", ")}` };
  return { patterns: [[known, first]], notes };
}

/** A line of a file without a header. Null for comments. */
function readLine(cell: string): Reading | null {
  const line = readCsvCell(cell.trim());
  if (line === "" || line.startsWith("#")) return null;
  const [open, close] = [line.startsWith("*"), line.endsWith("*")];
  if (open || close) return { patterns: [[open ? (close ? "contains" : "suffix") : "prefix", line]] };
  const bare = line.replace(/^https?:\/\//i, "").replace(/\/+$/, "");
  return /[@/]/.test(bare) ? { patterns: [["exact", line]] } : domain(bare);
}

function domain(name: string, notes?: string): Reading {
  if (!/^[^\s@/*]+\.[^\s@/*]+$/u.test(name)) return { message: "is neither an account nor a domain" };
  return { patterns: [["suffix", `@${name}`], ["suffix", `.${name}`]], notes }; // prettier-ignore
}
