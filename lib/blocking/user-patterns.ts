import { domainToASCII } from "node:url";
import { authorKey } from "#lib/fediverse/account.ts";
import type { PatternType, StoredPatternType } from "./schema.ts";

/** An account, a pattern of accounts or a hashtag, in stored form. */
export interface Entry {
  /** In the form that is compared: `user@host`, a part of it or a domain, in lower case; or a folded hashtag. */
  pattern: string;
  /** `exact` for hashtags. */
  pattern_type: StoredPatternType;
  /** The hashtag in its own spelling; null for accounts. */
  written: string | null;
  notes: string | null;
}

export type UserPatternCheck = { ok: true; pattern: string } | { ok: false; reason: string };

/** Characters of a pattern. A single one would match half the network. */
const MIN_LENGTH = 2;

const HOST_AT_END = /@[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?$/;

/** Path segments before a user name: Mastodon and Pleroma, Lemmy, Friendica, PeerTube. */
const BEFORE_NAME = new Set(["users", "user", "u", "profile", "accounts", "a"]);

/** Path segments that are pages of a server. On Pixelfed the first segment is the user name. */
const PAGES = new Set(
  "about admin api explore feed home i local login notes p privacy profile public search settings tags timeline user users".split(
    " ",
  ),
);

/**
 * Checks a pattern and brings it into stored form. `exact` accepts an account or the address of a profile, `domain` a host or
 * its address, the others a text, with `*` at the open end.
 */
export function normaliseUserPattern(identifier: string, type: StoredPatternType): UserPatternCheck {
  const written = identifier.trim().replace(/^acct:/i, "");
  if (type === "exact") return exactPattern(written);
  if (type === "domain") return domainPattern(written.toLowerCase());
  const bare = openPattern(written.toLowerCase(), type);
  if (bare.includes("*")) return refuse(`may have a * only at the open end of a ${type} pattern`);
  if (/[\s/]/u.test(bare)) return refuse("must not contain white space or a slash");
  if ([...bare].length < MIN_LENGTH || !/[\p{L}\p{N}]/u.test(bare)) {
    return refuse(`must have at least ${MIN_LENGTH} characters, one of them a letter or a digit`);
  }
  return { ok: true, pattern: bare };
}

/** A pattern as people read it: `@user@host`, `host and its subdomains`, `*.host`, `bot*`. */
export function showUserPattern(pattern: string, type: StoredPatternType): string {
  if (type === "exact") return `@${pattern}`;
  if (type === "domain") return `${pattern} and its subdomains`;
  return `${type === "prefix" ? "" : "*"}${pattern}${type === "suffix" ? "" : "*"}`;
}

/** A pattern in the form of the API, which has four types of patterns. */
export function shownPattern({ pattern, pattern_type }: Pick<Entry, "pattern" | "pattern_type">): {
  account_identifier: string;
  pattern_type: PatternType;
  subdomains: boolean;
} {
  return pattern_type === "domain"
    ? { account_identifier: `@${pattern}`, pattern_type: "suffix", subdomains: true }
    : { account_identifier: pattern, pattern_type, subdomains: false };
}

function exactPattern(written: string): UserPatternCheck {
  if (written.includes("*"))
    return refuse("must be one account; choose another pattern_type for a * pattern");
  const account = written.includes("/") ? accountOfProfile(written) : written;
  // Author keys never have the trailing dot of a fully qualified host.
  const key = account === null ? null : authorKey(account.replace(/\.$/, ""));
  if (key !== null && HOST_AT_END.test(key)) return { ok: true, pattern: key };
  return refuse("must be user@host or the address of a profile");
}

function domainPattern(written: string): UserPatternCheck {
  const bare = written
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "")
    .replace(/^\*?[@.]?/, "");
  const domain = withAsciiHost(`@${bare}`).slice(1);
  if (/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?$/.test(domain) && domain.length >= MIN_LENGTH)
    return { ok: true, pattern: domain };
  return refuse("must be a domain, such as spam.example, to include its subdomains");
}

/** `user@host` from a profile's address, or null. */
function accountOfProfile(written: string): string | null {
  const address = /^https?:\/\//i.test(written) ? written : `https://${written}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const path = segmentsOf(url);
  // `/@user`, `/@user@elsewhere`, `/web/@user`, and third-party web clients: `/server.example/@user`.
  const at = path.findIndex((segment) => segment.startsWith("@"));
  if (at >= 0)
    return accountOf(path[at] ?? "", path[at - 1]?.includes(".") ? (path[at - 1] ?? "") : url.host);
  const [first = "", second] = path;
  if (second !== undefined) return BEFORE_NAME.has(first.toLowerCase()) ? accountOf(second, url.host) : null;
  return first === "" || PAGES.has(first.toLowerCase()) ? null : accountOf(first, url.host);
}

function accountOf(segment: string, host: string): string {
  const handle = segment.replace(/^@/, "");
  return handle.includes("@") ? handle : `${handle}@${host}`;
}

function segmentsOf(url: URL): string[] {
  try {
    return decodeURIComponent(url.pathname)
      .split("/")
      .filter((segment) => segment !== "");
  } catch {
    return [];
  }
}

/** Removes `*` at the open end, and the leading `@`, which author keys do not have. */
function openPattern(written: string, type: Exclude<PatternType, "exact">): string {
  if (type === "suffix") return withAsciiHost(written.replace(/^\*+/, ""));
  return (type === "prefix" ? written.replace(/^@+/, "") : written.replace(/^\*+/, "")).replace(/\*+$/, "");
}

/** Writes the host in the form of author keys: IDN in ASCII, no trailing dot. */
function withAsciiHost(suffix: string): string {
  const start = suffix.lastIndexOf("@") + 1;
  const host = suffix.slice(start).replace(/[.。]+$/u, "");
  // An impossible host is kept; its pattern shows zero matches.
  const international = /[^\0-\x7f]/.test(host) && /^[\p{L}\p{M}\p{N}.-]+$/u.test(host);
  return suffix.slice(0, start) + (international ? domainToASCII(host) || host : host);
}

function refuse(reason: string): UserPatternCheck {
  return { ok: false, reason };
}
