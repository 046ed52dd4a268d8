import type { Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import type { DropRule } from "#lib/fediverse/judge-consent.ts";
import type { NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { confirmEntries, refreshEntries } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { decide, lockForReview, rejectPosts } from "#lib/review/decide.ts";
import { forgetPosts, type Refusal } from "./forget-authors.ts";
import { countersAfter, countersDiffer, isOlderVersion, judgeChange } from "./detect-change.ts";
import { type ConsentTerms, judgeAgain, refusalOf } from "./consent.ts";
import { toIngestRow, type IngestRow } from "./post-row.ts";
import {
  holdDoubtful,
  rejectionsOf,
  writeCounters,
  writeContent,
  type CounterRow,
  type Doubt,
  type KnownRow,
} from "./ingest-sql.ts";

export interface SeenAgain {
  row: KnownRow;
  post: NormalisedPost;
}

export interface KnownResult {
  updated: number;
  /** Refusals on profiles. The caller forgets these authors. */
  refusals: Refusal[];
}

type Rewrite = IngestRow & { id: number };

type Plan = ReturnType<typeof planChanges>;

/**
 * Updates known posts: refreshes counters, applies the home server's data, returns edited posts to review, holds posts whose
 * copies differ, and deletes withdrawn posts.
 */
export async function ingestKnown(tx: Tx, stream: ConsentTerms, seen: SeenAgain[]): Promise<KnownResult> {
  if (seen.length === 0) return { updated: 0, refusals: [] };
  const plan = planChanges(stream, seen);
  await forgetPosts(tx, plan.posts);
  const edited = await writeEdits(tx, plan);
  await writeCounters(tx, plan.counters);
  await writeContent(tx, plan.refreshes, false);
  await refreshEntries(tx, [...plan.refreshes.map((row) => row.id), ...edited]);
  await holdDoubtful(tx, plan.doubts);
  await markConfirmed(tx, plan.confirmed);
  return {
    updated: plan.counters.length + plan.refreshes.length + edited.length,
    refusals: plan.authors,
  };
}

/** Holds posts whose present version could not be read, until their own servers show a readable one. */
export async function holdUnread(tx: Tx, seen: { row: KnownRow; from_home: boolean }[]): Promise<void> {
  const doubtful = seen.filter(
    ({ row, from_home }) => !row.erased && row.differs_since === null && (from_home || !row.asked_lately),
  );
  await holdDoubtful(
    tx,
    doubtful.map(({ row }) => ({ id: row.id, edited_at: null })),
  );
}

function planChanges(stream: ConsentTerms, seen: SeenAgain[]) {
  const plan = {
    counters: [] as CounterRow[],
    refreshes: [] as Rewrite[],
    edits: [] as { row: KnownRow; next: Rewrite }[],
    /** Held until the home server was asked or a consumer releases them. */
    doubts: [] as Doubt[],
    /** Ids of posts that their own servers have shown. */
    confirmed: [] as number[],
    /** Posts that their authors have withdrawn. */
    posts: [] as { id: number; rule: DropRule }[],
    authors: [] as Refusal[],
  };
  for (const { row, post } of seen) {
    const { id } = row;
    const { withdrawal, signals } = judgeAgain(post, rulesOf(row, stream));
    const next = { ...withKnownQuote(toIngestRow(post, signals), row), id };
    if (withdrawal !== null && post.from_home) {
      plan.posts.push({ id, rule: withdrawal.rule });
      // The shown author, not the stored one, whom a copy may have invented.
      if (withdrawal.of === "author") plan.authors.push(refusalOf(post.author, post.uri, withdrawal.rule));
      continue;
    }
    // The home server deleted the post, so neither a copy nor a late answer brings it back.
    if (row.erased) continue;
    const kind = judgeChange(row, next);
    if (kind === "edit") {
      plan.edits.push({ row, next });
      continue;
    }
    const counters = countersAfter(row, next);
    if (kind === "refresh") plan.refreshes.push(next);
    else if (countersDiffer(row, counters)) plan.counters.push({ id, ...counters });
    // If the post's own server has named another author, a copy says nothing about that author.
    const refuses = withdrawal !== null && !(row.from_home && next.author_key !== row.author_key);
    // Limits requests to the home server.
    if ((kind === "differs" || refuses) && !row.asked_lately) plan.doubts.push({ id, edited_at: null });
    // A version from before the edit does not settle the doubt that the edit has raised.
    const isOutdated = row.differs_since !== null && isOlderVersion(row, next);
    if (post.from_home && !isOutdated && isToConfirm(row)) plan.confirmed.push(id);
  }
  return plan;
}

/** Keeps the known quote if the server names only the address of the quoted post. */
function withKnownQuote(next: IngestRow, { quote, related }: KnownRow): IngestRow {
  const isSame = next.quote?.account === null && quote?.account != null && quote.uri === next.quote.uri;
  return isSame ? { ...next, quote, related: [...new Set([...next.related, ...related])] } : next;
}

/**
 * Whether another server's copy may confirm a post. It must be the stored version by the stored author without a refusal, no
 * other copy may differ, and the post's own server must not have reported the post as missing.
 */
export function mayCopyConfirm(row: KnownRow, post: NormalisedPost): boolean {
  const { withdrawal, signals } = judgeAgain(post, rulesOf(row, { consent_policy: "moderate" }));
  const copy = { ...toIngestRow(post, signals), from_home: false };
  const isOpen = row.source_missing_at !== null || row.differs_since !== null;
  const isSame = copy.author_key === row.author_key && judgeChange(row, copy) !== "differs";
  return withdrawal === null && !isOpen && isSame;
}

function isToConfirm({ holds, differs_since, source_missing_at, confirmation_is_old }: KnownRow): boolean {
  const isHeld = (holds & (holdBits.differs | holdBits.unconfirmed | holdBits.unverifiable)) !== 0;
  return isHeld || differs_since !== null || source_missing_at !== null || confirmation_is_old;
}

/**
 * Stores edits. A pending post returns to review. A reserved or failed one keeps the approved version and is held.
 *
 * @returns posts that were rewritten
 */
async function writeEdits(tx: Tx, plan: Plan): Promise<number[]> {
  if (plan.edits.length === 0) return [];
  const ids = plan.edits.map(({ row }) => row.id);
  const locked = new Map((await lockForReview(tx, ids)).map((each) => [each.post.id, each]));
  const written: Rewrite[] = [];
  const lines: Parameters<typeof recordEvents>[2] = [];
  const open: number[] = [];
  for (const { row, next } of plan.edits) {
    const post = locked.get(row.id);
    if (post === undefined) continue;
    const { state } = post;
    if (state === "reserved" || state === "error") {
      plan.doubts.push({ id: row.id, edited_at: next.edited_at });
      continue;
    }
    written.push(next);
    if (isToConfirm(row)) plan.confirmed.push(row.id);
    const details = difference(row, next);
    if (state === "pending") {
      await decide(tx, servicePrincipal, [post], null, {
        action: "edit",
        note: "edited at its source",
        details,
      });
    } else {
      const line = { action: "edit", from_state: state, to_state: state, note: "edited at its source" };
      lines.push({ post_id: row.id, ...line, details });
    }
    if (state === "pending" || state === "unreviewed") open.push(row.id);
  }
  await writeContent(tx, written, true);
  if (lines.length > 0) await recordEvents(tx, servicePrincipal, lines);
  for (const { reason, ids } of await rejectionsOf(tx, open))
    await rejectPosts(tx, servicePrincipal, ids, { reason, only: ["unreviewed"] });
  return written.map((row) => row.id);
}

function difference(row: KnownRow, next: Rewrite) {
  const of = ({ content, spoiler_text, sensitive, media, poll, edited_at }: KnownRow | Rewrite) => ({
    content,
    spoiler_text,
    sensitive,
    media: media.map(({ type, url, description }) => ({ type, url, description })),
    poll: poll?.options.map(({ title }) => title) ?? null,
    edited_at,
  });
  return { before: of(row), after: of(next) };
}

/** The rules under which the post was accepted, not the present ones of the stream. */
export function rulesOf(row: KnownRow, stream: ConsentTerms): ConsentTerms {
  const policy = row.consent["policy"];
  return policy === "moderate" || policy === "opt-in" ? { consent_policy: policy } : stream;
}

/**
 * Marks posts as confirmed now.
 *
 * @param by the server that showed them, if not their own
 */
export async function markConfirmed(tx: Tx, ids: number[], by: string | null = null): Promise<void> {
  if (ids.length === 0) return;
  if (by !== null) await recordInstead(tx, ids, by);
  await tx.$executeRaw`
    UPDATE post SET confirmed_at = now(), confirmed_by = coalesce(${by}, uri_host(uri)), source_checked_at = now(),
      source_missing_at = NULL, differs_since = NULL
     WHERE id = ANY (${ids}::int[])`;
  await confirmEntries(tx, ids);
  await tx.source_check.deleteMany({ where: { post_id: { in: ids } } });
}

/** Writes a history line when a server begins to confirm posts of another server. */
async function recordInstead(tx: Tx, ids: number[], by: string): Promise<void> {
  const rows = await tx.$queryRaw<{ post_id: number; host: string }[]>`
    SELECT id AS post_id, uri_host(uri) AS host FROM post
     WHERE id = ANY (${ids}::int[]) AND confirmed_by IS DISTINCT FROM ${by}`;
  const lines = rows.map(({ post_id, host }) => ({
    post_id,
    action: "confirm",
    note: `confirmed by ${by}; ${host} answers no strangers`,
  }));
  if (lines.length > 0) await recordEvents(tx, servicePrincipal, lines);
}
