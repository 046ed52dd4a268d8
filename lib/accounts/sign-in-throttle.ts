import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { sleep } from "#lib/base/clock.ts";
import { addressOf, type HeaderReader } from "./client-info.ts";
import { countAttempts, forgetAttempts } from "./sign-in-throttle-sql.ts";

/*
 * Attempts are slowed and accounts never locked. Counting and waiting precede the check of the password, so that
 * the time reveals nothing (docs/decisions/0016-sign-in-throttling.md).
 */

/** Failures without a delay. */
const FREE_FAILURES = { account: 3, address: 10 };
/** A known browser that fails more often counts like the others. */
const BROWSER_FAILURES = 10;
const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** Waiting attempts of one address, known browser, or account without an address, in one process; more are refused. */
const MAX_WAITING = 8;

const waiting = new Map<string, number>();

export type Attempt = {
  /** Do not check the password. */
  refused: boolean;
  /** Call it when the attempt succeeded. */
  succeeded: () => Promise<void>;
};

/** @param email as typed */
export function accountHash(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
}

/**
 * @param account see accountHash
 * @param address null to count by account only
 * @param browser id of a browser or session that belongs to the account: counted apart from strangers
 */
export async function slowDown(
  account: string,
  address: string | null,
  browser: string | null,
): Promise<Attempt> {
  return (browser === null ? null : await slowKnown(`browser:${browser}`)) ?? slowUnknown(account, address);
}

async function slowKnown(subject: string): Promise<Attempt | null> {
  const failures = (await countAttempts([subject])).get(subject) ?? 0;
  if (failures >= BROWSER_FAILURES) return null;
  const isAllowed = await waitIfAllowed(subject, waitAfter(failures - FREE_FAILURES.account));
  return { refused: !isAllowed, succeeded: () => forgetAttempts(subject, null) };
}

async function slowUnknown(account: string, address: string | null): Promise<Attempt> {
  const subject = `account:${account}`;
  const addressSubject = address === null ? null : `address:${address}`;
  const failures = await countAttempts(addressSubject === null ? [subject] : [subject, addressSubject]);
  const wait = Math.max(
    waitAfter((failures.get(subject) ?? 0) - FREE_FAILURES.account),
    waitAfter((addressSubject === null ? 0 : (failures.get(addressSubject) ?? 0)) - FREE_FAILURES.address),
  );
  const isAllowed = await waitIfAllowed(addressSubject ?? subject, wait);
  return { refused: !isAllowed, succeeded: () => forgetAttempts(subject, addressSubject) };
}

/**
 * Failures of a subject up to now, this one included. The count restarts after 15 minutes without a failure.
 *
 * @param subject for example `member:3`
 */
export async function countFailure(subject: string): Promise<number> {
  const name = `failed:${subject}`;
  return ((await countAttempts([name])).get(name) ?? 0) + 1;
}

/** @returns milliseconds, doubled for each failure beyond the free ones */
export function waitAfter(failures: number): number {
  return failures <= 0 ? 0 : Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** Math.min(failures - 1, 20));
}

async function waitIfAllowed(subject: string, wait: number): Promise<boolean> {
  if (wait === 0) return true;
  const others = waiting.get(subject) ?? 0;
  if (others >= MAX_WAITING) return false;
  waiting.set(subject, others + 1);
  try {
    await sleep(wait);
  } finally {
    const othersWaiting = (waiting.get(subject) ?? 1) - 1;
    if (othersWaiting > 0) waiting.set(subject, othersWaiting);
    else waiting.delete(subject);
  }
  return true;
}

/** IPv6 counts by /64, the size of one household. */
export function clientAddress(headers: HeaderReader): string | null {
  const address = addressOf(headers);
  if (address === null || !(address instanceof ipaddr.IPv6)) return address?.toString() ?? null;
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
