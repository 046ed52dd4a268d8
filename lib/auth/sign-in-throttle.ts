import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { sleep } from "#lib/clock.ts";
import { countAttempt, forgetAttempts } from "./sql.ts";

/*
 * Attempts are slowed and accounts never locked. Counting and waiting precede the check of the password, so that
 * the time reveals nothing (docs/decisions/0016-sign-in-throttling.md).
 */

/** Failures without a delay. */
const FREE_FAILURES = { account: 3, address: 10 };
/** Milliseconds. */
const MIN_WAIT = 500;
const MAX_WAIT = 8_000;
/** Of one address in one process; further attempts are refused. */
const MAX_WAITING = 8;

const waiting = new Map<string, number>();

export type Attempt = {
  /** Do not check the password. */
  refused: boolean;
  /** Call it when the attempt succeeded. */
  succeeded: () => Promise<void>;
};

/**
 * @param account the e-mail as typed
 *
 * @param address null: count by account only
 */
export async function slowDown(account: string, address: string | null): Promise<Attempt> {
  const subjects = {
    account: `account:${createHash("sha256").update(account.trim().toLowerCase()).digest("hex")}`,
    address: address === null ? null : `address:${address}`,
  };
  const failures = await countAttempt(subjects);
  const wait = Math.max(
    waitAfter(failures.account - FREE_FAILURES.account),
    waitAfter(failures.address - FREE_FAILURES.address),
  );
  const refused = !(await waitIfAllowed(subjects.address ?? "", wait));
  return { refused, succeeded: () => forgetAttempts(subjects) };
}

/** Milliseconds, doubled for each failure beyond the free ones. */
export function waitAfter(failures: number): number {
  return failures <= 0 ? 0 : Math.min(MAX_WAIT, MIN_WAIT * 2 ** Math.min(failures - 1, 20));
}

async function waitIfAllowed(subject: string, wait: number): Promise<boolean> {
  if (wait === 0) return true;
  const others = waiting.get(subject) ?? 0;
  if (others >= MAX_WAITING) return false;
  waiting.set(subject, others + 1);
  try {
    await sleep(wait);
  } finally {
    const left = (waiting.get(subject) ?? 1) - 1;
    if (left > 0) waiting.set(subject, left);
    else waiting.delete(subject);
  }
  return true;
}

/**
 * The server in front of Next leaves one trusted address in `X-Forwarded-For` (TRUSTED_PROXIES); Vercel overwrites
 * the header. IPv6 counts by /64, the size of one household.
 */
export function clientAddress(headers: Headers): string | null {
  const claimed = headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "";
  if (!ipaddr.isValid(claimed)) return null;
  const address = ipaddr.process(claimed);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
