import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { addressOf, type ClientInfo, type HeaderReader } from "./client-info.ts";
import { memberLabel } from "./member-sql.ts";
import { recordAudit } from "./record-audit.ts";

/*
 * Attempts are slowed and accounts never locked. Counting and waiting precede the check of the password, so that
 * the time reveals nothing (docs/decisions/0016-sign-in-throttling.md).
 */

/** Failures without a delay. */
const FREE_FAILURES = { account: 3, address: 10 };
/** After so many failures a known browser counts like unknown ones. */
const BROWSER_FAILURES = 10;
const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** Attempts that may wait in one process, for each address, known browser, or account without an address. More are refused. */
const MAX_WAITING = 8;

const waiting = new Map<string, number>();

export type Attempt = {
  /** Do not check the password. */
  refused: boolean;
  /** Call it when the attempt succeeded. */
  succeeded: () => Promise<void>;
};

/** Key of an account in counts. @param email as typed */
export function accountHash(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
}

/**
 * Counts an attempt and waits as long as its failures demand.
 *
 * @param account see accountHash
 * @param address null to count by account only
 * @param browser id of a browser or session that belongs to the account: counted apart from strangers
 */
export async function slowDown(
  account: string,
  address: string | null,
  browser: string | null,
): Promise<Attempt> {
  if (browser !== null) {
    const subject = `browser:${browser}`;
    const failures = (await countAttempts([subject])).get(subject) ?? 0;
    if (failures < BROWSER_FAILURES)
      return attempt(subject, null, waitAfter(failures - FREE_FAILURES.account));
  }
  const subject = `account:${account}`;
  const from = address === null ? null : `address:${address}`;
  const failures = await countAttempts(from === null ? [subject] : [subject, from]);
  const byAccount = waitAfter((failures.get(subject) ?? 0) - FREE_FAILURES.account);
  const byAddress = waitAfter((failures.get(from ?? "") ?? 0) - FREE_FAILURES.address);
  return attempt(subject, from, Math.max(byAccount, byAddress));
}

async function attempt(subject: string, address: string | null, wait: number): Promise<Attempt> {
  const isAllowed = await waitIfAllowed(address ?? subject, wait);
  return { refused: !isAllowed, succeeded: () => forgetAttempts(subject, address) };
}

/** Milliseconds to wait after failures beyond the free ones: 0.5 s, doubled for each further one, at most 8 s. */
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

/** Address by which attempts are counted; of IPv6 the /64, the size of one household. */
export function clientAddress(headers: HeaderReader): string | null {
  const address = addressOf(headers);
  if (address === null || !(address instanceof ipaddr.IPv6)) return address?.toString() ?? null;
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** Counts an attempt. Returns the failures of each subject before it. A count restarts after 15 minutes without attempts. */
async function countAttempts(subjects: string[]): Promise<Map<string, number>> {
  // Sorted, so that concurrent attempts lock the rows in the same order.
  const rows = await db.$queryRaw<{ subject: string; failures: number }[]>`
    INSERT INTO sign_in_attempt (subject, failures, last_failure)
    SELECT subject, 1, now() FROM unnest(${subjects}::text[]) AS subject ORDER BY subject
    ON CONFLICT (subject) DO UPDATE
       SET failures = CASE WHEN sign_in_attempt.last_failure < now() - interval '15 minutes'
                           THEN 1 ELSE least(sign_in_attempt.failures, 1000000) + 1 END,
           last_failure = now()
    RETURNING subject, failures`;
  return new Map(rows.map(({ subject, failures }) => [subject, failures - 1]));
}

/**
 * Call it after a success: resets the count of the subject and takes this attempt off the address's count, which an attacker
 * could otherwise clear by signing in. Also deletes old rows.
 */
async function forgetAttempts(subject: string, address: string | null): Promise<void> {
  await db.$executeRaw`
    DELETE FROM sign_in_attempt WHERE subject = ${subject} OR last_failure < now() - interval '1 day'`;
  if (address === null) return;
  await db.$executeRaw`
    UPDATE sign_in_attempt SET failures = failures - 1 WHERE subject = ${address} AND failures > 0`;
}

type FailedSignIn = {
  /** Null when the address belongs to no member. */
  member: { id: number; name: string; email: string } | null;
  way: "password" | "password change" | "github" | "oidc";
  client: ClientInfo;
};

/**
 * Writes a failure to the log, and the 1st, 10th, 100th … failure of a member, or of unknown accounts, to the audit log, so
 * that an attacker cannot fill it. Neither contains what was typed.
 */
export async function noteFailedSignIn({ member, way, client }: FailedSignIn): Promise<void> {
  const subject = `failed:${member === null ? "unknown" : `member:${member.id}`}`;
  const failures = ((await countAttempts([subject])).get(subject) ?? 0) + 1;
  log.warn({ member_id: member?.id ?? null, way, ...client, failures }, "sign-in failed");
  if (!Number.isInteger(Math.log10(failures))) return;
  await recordAudit(db, servicePrincipal, {
    action: "member.sign_in_failed",
    subject: member === null ? "An unknown account" : memberLabel(member),
    after: { failures, way, ...client },
  });
}
