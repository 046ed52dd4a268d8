import { createHash } from "node:crypto";
import { sleep } from "#lib/clock.ts";
import { countAttempt, forgetAttempts } from "./sql.ts";

/*
 * Guessing is slowed, never locked: nobody can shut a member out by failing in their name. Every attempt is
 * counted before it is judged, so that a hundred at once meet a hundred different counts, and waits before it
 * is judged, so that a quick refusal cannot be told from a slow one.
 */

/** Failures without a wait: a member's typing errors, and those of everybody behind one address. */
const FREE = { account: 3, address: 10 };
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
/** Attempts of one address that may wait at the same time in one process; more are turned away. */
const WAITING = 8;

const waiting = new Map<string, number>();

export type Attempt = {
  /** Too many attempts of this address are waiting already: do not judge this one. */
  refused: boolean;
  /** To be called when the attempt succeeded. */
  succeeded: () => Promise<void>;
};

/**
 * Counts an attempt to sign in and waits as long as the failures before it ask for.
 * @param account what was typed as e-mail, known or not
 * @param address where the request comes from; null counts by account only
 */
export async function slowDown(account: string, address: string | null): Promise<Attempt> {
  const subjects = {
    account: `account:${createHash("sha256").update(account.trim().toLowerCase()).digest("hex")}`,
    address: address === null ? null : `address:${address}`,
  };
  const failures = await countAttempt(subjects);
  const wait = Math.max(
    waitAfter(failures.account - FREE.account),
    waitAfter(failures.address - FREE.address),
  );
  const refused = !(await waitInTurn(subjects.address ?? "", wait));
  return { refused, succeeded: () => forgetAttempts(subjects) };
}

/** Milliseconds to wait after so many failures more than are free: doubled each time, up to a limit. */
export function waitAfter(failures: number): number {
  return failures <= 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures - 1, 20));
}

async function waitInTurn(subject: string, wait: number): Promise<boolean> {
  if (wait === 0) return true;
  const others = waiting.get(subject) ?? 0;
  if (others >= WAITING) return false;
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
