import { recordAudit } from "#lib/accounts/record-audit.ts";
import { isoTimes } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { type Actor, type Principal, servicePrincipal } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { BULK_TIMEOUT_MS } from "#lib/base/transaction.ts";
import { insertBlockedAccount } from "#lib/blocking/block-lists.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { decodeUri } from "#lib/fediverse/urls.ts";
import { changeHolds, type HoldChange } from "#lib/queue/hold-changes.ts";
import { forgetAuthors, postsOfAuthor } from "./forget-authors.ts";
import type { OptOutDecision, OptOutList, OptOutReach } from "./opt-out-schema.ts";

/** Values of `error_details.error_type` that report an opt-out. */
const OPT_OUT_TYPES = new Set(["nobot", "nobots", "noindex", "nosearch", "noarchive", "opt_out"]);

export function isOptOutReport(reason: string, details: object | null): boolean {
  const type = details !== null && "error_type" in details ? details.error_type : undefined;
  if (typeof type === "string" && OPT_OUT_TYPES.has(type.toLowerCase())) return true;
  return /\bopt(?:s|ed)?[ -]out of bot interaction/i.test(reason);
}

export interface OptOutFinding {
  author_key: string;
  post_id: number;
  reason: string;
}

/**
 * Records a report and holds the author's present and future queue entries until a person or the profile
 * decides. A report after a decision opens a new one.
 *
 * @param settle stores the consumer's report in the same transaction, again after a deadlock; null when there is nothing to
 *   record
 */
export async function reportOptOut(
  actor: Actor,
  settle: (tx: Tx) => Promise<OptOutFinding | null>,
): Promise<void> {
  await changeHolds(async (tx) => {
    const found = await settle(tx);
    if (found === null) return { result: undefined, changes: [] };
    const { author_key, post_id, reason } = found;
    const isNew = await tx.$executeRaw`
      INSERT INTO reported_opt_out AS o (author_key, reason, post_id) VALUES (${author_key}, ${reason}, ${post_id})
      ON CONFLICT (author_key) DO UPDATE
        SET reason = excluded.reason, post_id = excluded.post_id, reported_at = now(), resolved_at = NULL, resolution = NULL
        WHERE o.resolved_at IS NOT NULL`;
    if (isNew === 0) return { result: undefined, changes: [] };
    await recordAudit(tx, actor, {
      action: "opt_out.report",
      subject: `@${author_key}`,
      after: { post_id },
    });
    return { result: undefined, changes: [{ pattern_type: "exact", patterns: [author_key] }] };
  });
}

/**
 * Closes an open report inside `changeHolds`; null when there is none. Dismissed: the author's posts are released. Confirmed:
 * the author is blocked by name and the learner forgets the author's posts. The posts stay; `decideOptOut` deletes them.
 *
 * @param after value for the audit log
 */
async function resolveInside(
  tx: Tx,
  actor: Actor,
  authorKey: string,
  resolution: OptOutDecision["resolution"],
  after?: { deleted_posts: number },
): Promise<HoldChange[] | null> {
  const [report] = await tx.$queryRaw<{ post_id: number | null }[]>`
    UPDATE reported_opt_out SET resolved_at = now(), resolution = ${resolution}
     WHERE author_key = ${authorKey} AND resolved_at IS NULL RETURNING post_id`;
  if (report === undefined) return null;
  if (resolution === "confirmed") {
    await tx.$executeRaw`SELECT unlearn('{}', false, ARRAY[${authorKey}])`;
    // The note does not repeat the reason of the report, which is deleted with its post. Notes are not.
    await insertBlockedAccount(tx, authorKey, "Opted out");
  }
  await recordAudit(tx, actor, {
    action: `opt_out.${resolution}`,
    subject: `@${authorKey}`,
    before: { post_id: report.post_id },
    ...(after === undefined ? {} : { after }),
  });
  return [{ pattern_type: "exact", patterns: [authorKey] }];
}

type Resolution = OptOutDecision["resolution"];

/** Closes the open report of an author; does nothing without one. */
export async function resolveOptOut(actor: Actor, authorKey: string, resolution: Resolution): Promise<void> {
  await changeHolds(async (tx) => {
    const changes = await resolveInside(tx, actor, authorKey, resolution);
    return { result: undefined, changes: changes ?? [] };
  });
}

/**
 * @param account from a path, which Next.js does not decode, or from a body
 * @throws ApiError `opt_out_not_found` when it is no account
 */
function optOutKey(account: string): string {
  const key = authorKey(decodeUri(account));
  if (key !== null && !key.includes("\0")) return key;
  throw new ApiError("opt_out_not_found");
}

/** The 100 oldest open reports, and their number. */
export async function listOptOuts(): Promise<OptOutList> {
  const [rows, total] = await Promise.all([
    db.$queryRaw<
      { author_key: string; reason: string; post_id: number | null; reported_at: Date; held: number }[]
    >`
      SELECT o.author_key, o.reason, o.post_id, o.reported_at,
             (SELECT count(*)::int FROM queue_entry e WHERE (e.author_key = o.author_key OR e.related @> ARRAY[o.author_key])
                AND e.state = 'pending') AS held
        FROM reported_opt_out o WHERE o.resolved_at IS NULL
       ORDER BY o.reported_at, o.author_key LIMIT 100`,
    db.reported_opt_out.count({ where: { resolved_at: null } }),
  ]);
  const items = rows.map(({ author_key, ...row }) => ({ account: `@${author_key}`, ...isoTimes(row) }));
  return { items, total };
}

/**
 * Confirms an open report when the profile refuses. Errors are only logged: the posts are already deleted.
 */
export async function confirmOptOut(author: string): Promise<void> {
  try {
    await resolveOptOut(servicePrincipal, author, "confirmed");
  } catch (error) {
    log.warn({ err: error }, "reported opt-out not confirmed");
  }
}

interface ReportHolds {
  /** Whether a report is open. */
  open: boolean;
  /** Ids of pending posts that only the report holds. */
  only: number[];
  /** Number of pending posts that something else holds, too. */
  also: number;
}

/** Posts that a report holds. 32 is the bit of reported opt-outs (lib/queue/holds.ts). */
async function heldByReport(tx: Tx, authorKey: string): Promise<ReportHolds> {
  const rows = await tx.$queryRaw<ReportHolds[]>`
    SELECT EXISTS (SELECT FROM reported_opt_out WHERE author_key = ${authorKey} AND resolved_at IS NULL) AS open,
           coalesce(array_agg(post_id ORDER BY post_id) FILTER (WHERE holds = 32), '{}') AS only,
           (count(*) FILTER (WHERE holds <> 32))::int AS also
      FROM queue_entry
     WHERE (author_key = ${authorKey} OR related @> ARRAY[${authorKey}::text]) AND state = 'pending' AND holds & 32 <> 0`;
  return rows[0] as ReportHolds;
}

/**
 * Counts the posts that the decision would delete or release. Changes nothing.
 *
 * @throws ApiError `opt_out_not_found` when none is open
 */
export async function countOptOut(account: string, { resolution }: OptOutDecision): Promise<OptOutReach> {
  const key = optOutKey(account);
  const { open, only, also } = await heldByReport(db, key);
  if (!open) throw new ApiError("opt_out_not_found");
  return resolution === "dismissed"
    ? { released: only.length, held: also, deleted: 0 }
    : { released: 0, held: 0, deleted: (await postsOfAuthor(db, key)).length };
}

/** @throws ApiError `opt_out_not_found` when none is open or another member decided it */
export async function decideOptOut(
  principal: Principal,
  account: string,
  { resolution }: OptOutDecision,
): Promise<void> {
  const key = optOutKey(account);
  await changeHolds(async (tx) => {
    if (!(await heldByReport(tx, key)).open) throw new ApiError("opt_out_not_found");
    // Posts and queue entries are locked before the report.
    const refusal = { author_key: key, uri_host: null, rule: "reported" } as const;
    const after =
      resolution === "confirmed"
        ? { deleted_posts: (await forgetAuthors(tx, [refusal], principal)).deleted.length }
        : undefined;
    const changes = await resolveInside(tx, principal, key, resolution, after);
    if (changes === null) throw new ApiError("opt_out_not_found");
    return { result: undefined, changes };
  }, BULK_TIMEOUT_MS);
}
