import type { Tx } from "#lib/base/db.ts";
import type { SourceOutcome } from "#lib/fediverse/fetch-post-at-source.ts";
import type { NormalisedAuthor } from "#lib/fediverse/normalise-status.ts";
import { holdPosts } from "#lib/queue/queue-entries.ts";
import { forgetAuthors, type Withdrawal, withdrawPosts } from "./forget-authors.ts";
import { adoptAddress } from "./adopt-address.ts";
import { type ConsentTerms, refusalsBeside } from "./consent.ts";
import { ingestKnown, type KnownResult, markConfirmed, mayCopyConfirm, rulesOf } from "./ingest-known.ts";
import { lockKnown, type KnownRow } from "./ingest-sql.ts";

const NOTHING: KnownResult = { updated: 0, refusals: [] };
/** Default terms; the stored rules of the post take precedence. */
const NO_STREAM = { consent_policy: "moderate" } satisfies ConsentTerms;

/**
 * Applies the answer of a post's own server. Rejects a post that is withdrawn or gone (410, or missing twice at least an hour
 * apart). Holds a post that cannot be read, and has it checked again later. Forgets an author who refuses there.
 *
 * @returns authors who refuse and have an open report, for `confirmOptOut`
 */
export async function applySourceCheck(tx: Tx, asked: string, outcome: SourceOutcome): Promise<string[]> {
  const uri = outcome.kind === "seen" ? outcome.post.uri : asked;
  if (outcome.kind === "seen" && outcome.instead === undefined) await adoptAddress(tx, asked, uri);
  const [row] = await lockKnown(tx, [uri]);
  if (row !== undefined) await tx.$executeRaw`UPDATE post SET source_checked_at = now() WHERE id = ${row.id}`;
  const { refusals } = row === undefined ? NOTHING : await apply(tx, row, outcome);
  return (await forgetAuthors(tx, refusals)).reported;
}

async function apply(tx: Tx, row: KnownRow, outcome: SourceOutcome): Promise<KnownResult> {
  // An erased post can only be rejected.
  if (row.erased && outcome.kind !== "withdrawn") {
    const isOwn = outcome.kind === "seen" && outcome.instead === undefined;
    const seen = isOwn ? await ingestKnown(tx, NO_STREAM, [{ row, post: outcome.post }]) : NOTHING;
    await withdraw(tx, row, "gone");
    return seen;
  }
  switch (outcome.kind) {
    case "seen": {
      const { post, instead } = outcome;
      if (instead === undefined)
        return ingestKnown(tx, NO_STREAM, [{ row: { ...row, confirmation_is_old: true }, post }]);
      if (mayCopyConfirm(row, post)) await markConfirmed(tx, [row.id], instead);
      else await holdUnverifiable(tx, row.id, null);
      return NOTHING;
    }
    case "gone":
      await withdraw(tx, row, "gone");
      return NOTHING;
    case "withdrawn":
      await withdraw(tx, row, "withdrawn");
      return { ...NOTHING, refusals: refusalsOf(row, outcome) };
    case "missing":
      if (await markSourceMissing(tx, row.id)) await withdraw(tx, row, "gone");
      else {
        await holdPosts(tx, [row.id], "unverifiable");
        await putOffCheck(tx, row.id, { minutes: 60 });
      }
      return NOTHING;
    case "unverifiable":
      await holdUnverifiable(tx, row.id, outcome.retry_at);
      return { ...NOTHING, refusals: refusalsOf(row, outcome) };
  }
}

const refusalsOf = (row: KnownRow, { author }: { author?: NormalisedAuthor }) =>
  refusalsBeside(row.uri, author, rulesOf(row, NO_STREAM));

async function holdUnverifiable(tx: Tx, id: number, notBefore: Date | null): Promise<void> {
  await holdPosts(tx, [id], "unverifiable");
  await putOffCheck(tx, id, { not_before: notBefore });
}

/** Rejects the post. If a consumer has it, it is rejected when it returns. */
async function withdraw(tx: Tx, row: KnownRow, reason: Withdrawal): Promise<void> {
  await withdrawPosts(tx, [row.id], reason);
  if (row.queue_state === "reserved") await putOffCheck(tx, row.id, { minutes: 10 });
  else await tx.source_check.deleteMany({ where: { post_id: row.id } });
}

/** Whether the source was already missing an hour ago. */
async function markSourceMissing(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.$queryRaw<{ gone: boolean }[]>`
    UPDATE post SET source_missing_at = coalesce(source_missing_at, now()) WHERE id = ${id}
    RETURNING source_missing_at <= now() - interval '1 hour' AS gone`;
  return rows[0]?.gone === true;
}

/** Longest pause between checks of a post whose server cannot be read. */
const MAX_PAUSE_HOURS = 6;

/** Postpones a check. Without `minutes` by 30 s, doubled with each failure in a row. */
export async function putOffCheck(
  tx: Tx,
  id: number,
  pause: { minutes: number } | { not_before: Date | null },
): Promise<void> {
  if ("minutes" in pause) {
    await tx.$executeRaw`
      INSERT INTO source_check AS c (post_id, host, due_at)
      SELECT id, uri_host(uri), now() + ${pause.minutes}::int * interval '1 minute' FROM post WHERE id = ${id}
      ON CONFLICT (post_id) DO UPDATE SET due_at = excluded.due_at`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO source_check AS c (post_id, host, due_at, failures)
    SELECT id, uri_host(uri), greatest(now() + interval '30 seconds', ${pause.not_before}::timestamptz), 1
      FROM post WHERE id = ${id}
    ON CONFLICT (post_id) DO UPDATE SET failures = least(c.failures + 1, 30), due_at = greatest(
      now() + least(30 * power(2, least(c.failures, 20)), ${MAX_PAUSE_HOURS * 3600}) * interval '1 second',
      ${pause.not_before}::timestamptz)`;
}
