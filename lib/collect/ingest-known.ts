import type { Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import type { DropRule } from "#lib/fediverse/judge-consent.ts";
import type { NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { confirmEntries, refreshEntries, setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { decide, lockForReview, rejectPosts } from "#lib/review/decide.ts";
import { forgetPosts, type Refusal } from "./forget-authors.ts";
import { countersAfter, countersDiffer, isOlderVersion, judgeChange } from "./detect-change.ts";
import { type ConsentTerms, judgeAgain, refusalOf } from "./consent.ts";
import { keyOfAuthor, toIngestRow, type IngestRow } from "./post-row.ts";
import {
  noteDoubt,
  noteEditTimes,
  rejectionsOf,
  writeCounters,
  writeWords,
  type CounterRow,
  type KnownRow,
} from "./ingest-sql.ts";

export interface SeenAgain {
  row: KnownRow;
  post: NormalisedPost;
  /** This server speaks for the post, because the post's own server answers no strangers. */
  instead?: string | undefined;
}

export interface KnownResult {
  updated: number;
  /** Edited posts, for the classifier. */
  to_classify: number[];
  /** Authors whose profiles now refuse; the caller forgets them. */
  refusals: Refusal[];
}

type Rewrite = IngestRow & { id: number };

type Plan = ReturnType<typeof newPlan>;

const newPlan = () => ({
  counters: [] as CounterRow[],
  refreshes: [] as Rewrite[],
  edits: [] as (Omit<SeenAgain, "post"> & { next: Rewrite })[],
  /** Held until the home server was asked or a consumer releases them. */
  doubts: [] as number[],
  /** Edits of posts that keep the approved version. */
  unwritten: [] as Rewrite[],
  /** The server that confirmed them; null for their own server. */
  confirmed: new Map<string | null, { id: number; held: boolean }[]>(),
  /** Withdrawn by their authors. */
  posts: [] as { id: number; rule: DropRule }[],
  authors: [] as Refusal[],
});

/**
 * Refreshes counters, applies the home server's data, returns edited posts to review, holds copies that
 * differ, deletes withdrawn posts.
 */
export async function ingestKnown(tx: Tx, stream: ConsentTerms, seen: SeenAgain[]): Promise<KnownResult> {
  if (seen.length === 0) return { updated: 0, to_classify: [], refusals: [] };
  const plan = planChanges(stream, seen);
  await forgetPosts(tx, plan.posts);
  const edited = await writeEdits(tx, plan);
  await writeCounters(tx, plan.counters);
  await writeWords(tx, plan.refreshes, false);
  await refreshEntries(tx, [...plan.refreshes.map((row) => row.id), ...edited]);
  await holdDoubtful(tx, plan.doubts);
  await noteEditTimes(tx, plan.unwritten);
  for (const [by, posts] of plan.confirmed) {
    const ids = posts.map(({ id }) => id);
    await markConfirmed(tx, ids, by);
    await setHoldOfPosts(
      tx,
      posts.flatMap(({ id, held }) => (held ? id : [])),
      "differs",
      false,
    );
  }
  return {
    updated: plan.counters.length + plan.refreshes.length + edited.length,
    to_classify: edited,
    refusals: plan.authors,
  };
}

/** Their present version could not be read: held until their own servers show one that can. */
export async function holdUnread(tx: Tx, seen: { row: KnownRow; from_home: boolean }[]): Promise<void> {
  const doubtful = seen.filter(
    ({ row, from_home }) => !row.erased && row.differs_since === null && (from_home || !row.asked_lately),
  );
  await holdDoubtful(
    tx,
    doubtful.map(({ row }) => row.id),
  );
}

async function holdDoubtful(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await noteDoubt(tx, ids);
  await setHoldOfPosts(tx, ids, "differs", true);
}

function planChanges(stream: ConsentTerms, seen: SeenAgain[]): Plan {
  const plan = newPlan();
  for (const each of seen) {
    const { row, post, instead } = each;
    const isBelieved = post.from_home || instead !== undefined;
    const { withdrawal, signals } = judgeAgain(post, rulesOf(row, stream));
    const next = { ...withKnownQuote(toIngestRow(post, signals), row), id: row.id };
    if (withdrawal !== null && post.from_home) {
      plan.posts.push({ id: row.id, rule: withdrawal.rule });
      // Not the stored author, whom a copy may have invented.
      if (withdrawal.of === "author") plan.authors.push(refusalOf(post.author, post.uri, withdrawal.rule));
      continue;
    }
    // Deleted at home: neither a copy nor a late answer brings it back.
    if (row.erased) continue;
    const words = { ...next, from_home: isBelieved };
    const kind = judgeChange(row, words);
    if (kind === "edit") {
      plan.edits.push({ ...each, next });
      continue;
    }
    if (kind === "refresh") plan.refreshes.push(next);
    const counters = countersAfter(row, words);
    if (kind === "counters" || (kind === "differs" && countersDiffer(row, counters))) {
      plan.counters.push({ id: row.id, ...counters });
    }
    // A copy with another author than the post's own server says nothing about this author.
    const refuses = withdrawal !== null && !(row.from_home && next.author_key !== row.author_key);
    const doubtful = kind === "differs" || (refuses && !isBelieved);
    // Limits requests to the home server.
    if (doubtful && !row.asked_lately) plan.doubts.push(row.id);
    // An answer from before an edit does not end the doubt that the edit has raised.
    const isOutdated = row.differs_since !== null && isOlderVersion(row, words);
    if (isBelieved && !isOutdated) noteSettled(plan, each);
  }
  return plan;
}

/** A server may name the quoted post by its address alone. */
function withKnownQuote(next: IngestRow, { quote, related }: KnownRow): IngestRow {
  const isSame = next.quote?.account === null && quote?.account != null && quote.uri === next.quote.uri;
  return isSame ? { ...next, quote, related: [...new Set([...next.related, ...related])] } : next;
}

/**
 * Whether another server's copy may confirm a post: it names the stored author, shows no refusal, and the post's own
 * server has not said that the post is missing.
 */
export function mayCopyConfirm(row: KnownRow, post: NormalisedPost): boolean {
  const rules = rulesOf(row, { consent_policy: "moderate" });
  const { withdrawal } = judgeAgain(post, rules);
  return withdrawal === null && row.source_missing_at === null && keyOfAuthor(post.author) === row.author_key;
}

function noteSettled(plan: Plan, { row, ...seen }: Omit<SeenAgain, "post">): void {
  const instead = seen.instead ?? null;
  const holds = row.holds ?? 0;
  const isHeld = (holds & (holdBits.differs | holdBits.unconfirmed | holdBits.unverifiable)) !== 0;
  const isOpen = isHeld || row.differs_since !== null || row.source_missing_at !== null;
  if (!isOpen && !row.confirmation_is_old && instead === null) return;
  const held = (holds & holdBits.differs) !== 0;
  plan.confirmed.set(instead, [...(plan.confirmed.get(instead) ?? []), { id: row.id, held }]);
}

/**
 * A pending post returns to review; a reserved or failed one keeps the approved version and is held.
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
  for (const each of plan.edits) {
    const { row, next } = each;
    const post = locked.get(row.id);
    if (post === undefined) continue;
    const { state } = post;
    if (state === "reserved" || state === "error") {
      plan.doubts.push(row.id);
      plan.unwritten.push(next);
      continue;
    }
    written.push(next);
    noteSettled(plan, each);
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
  await writeWords(tx, written, true);
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

/** The rules at intake, not those of the present stream. */
export function rulesOf(row: KnownRow, stream: ConsentTerms): ConsentTerms {
  const policy = row.consent["policy"];
  return policy === "moderate" || policy === "opt-in" ? { consent_policy: policy } : stream;
}

/**
 * Their own servers have just shown these posts.
 *
 * @param by the server that showed them instead
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

/** A history line when another server begins to speak for a post. */
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
