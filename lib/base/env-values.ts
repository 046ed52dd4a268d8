import ipaddr from "ipaddr.js";
import { z } from "zod";

/* Schemas and rules for the values of environment variables. */

export function integer(minimum: number, maximum: number, fallback: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .pipe(z.number().min(minimum, rule).max(maximum, rule))
    .default(fallback);
}

export function checked(rule: string, holds: (value: string) => boolean) {
  return z.string().refine(holds, rule);
}

/** Separated by commas or spaces; every entry must be valid. */
export function list(rule: string, holds: (entry: string) => boolean) {
  return checked(rule, (value) => entriesOf(value).every(holds))
    .default("")
    .transform(entriesOf);
}

export function entriesOf(value: string): string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}

/** pg takes these modes for `verify-full`, and prints a warning about it at each start. */
export function explicitTls(value: string): string {
  if (value.includes("uselibpqcompat=")) return value;
  return value.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

export function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Without a path: links, cookies and the same-origin check work by host. */
export function isBareAddress(value: string): boolean {
  if (!isWebAddress(value)) return false;
  const { pathname, search, hash, username } = new URL(value);
  return /^\/*$/.test(pathname) && search === "" && hash === "" && username === "";
}

/** Paths are appended to it, and its host is shown. */
export function isBaseAddress(value: string): boolean {
  if (!isWebAddress(value)) return false;
  const { search, hash, username, password } = new URL(value);
  return search === "" && hash === "" && username === "" && password === "";
}

export function isMailServer(value: string): boolean {
  return /^smtps?:\/\/[^/]/i.test(value) && URL.canParse(value);
}

/** `name@host` or `Name <name@host>`. */
export function isSender(value: string): boolean {
  return /^(?:[^\s@<>]+@[^\s@<>]+|[^<>\r\n@]*<[^\s@<>]+@[^\s@<>]+>)$/.test(value);
}

export function isContact(value: string): boolean {
  return isWebAddress(value) || /^mailto:\S+@\S+$/i.test(value);
}

export function isOrigin(entry: string): boolean {
  return isWebAddress(entry) && new URL(entry).origin === entry;
}

export function isHostOrOrigin(entry: string): boolean {
  return isOrigin(entry) || (!entry.includes("/") && URL.canParse(`https://${entry}`));
}

export function isHost(value: string): boolean {
  const [, name] = /^([\p{L}\p{N}.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu.exec(value) ?? [];
  // A URL accepts "-" and "a..b" as hosts.
  const hasEmptyLabel = name?.split(".").some((label) => /^-|-$|^$/.test(label));
  return name !== undefined && !hasEmptyLabel && URL.canParse(`https://${value}`);
}

export function isAddressOrRange(entry: string): boolean {
  return ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
}

export function isHashtag(entry: string): boolean {
  return /^#?[\p{L}\p{M}\p{N}_]+$/u.test(entry);
}

/** Names only: PostgreSQL reads the sign of an offset (`+05:30`) the other way round. */
export function isTimeZone(value: string): boolean {
  if (/^[+-]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
