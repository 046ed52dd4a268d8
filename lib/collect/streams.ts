import { isDeepStrictEqual } from "node:util";
import { recordAudit } from "#lib/accounts/record-audit.ts";
import { isoTimes } from "#lib/base/clock.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { decryptToken } from "#lib/fediverse/hosts.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { requireInstance } from "#lib/fediverse/instance.ts";
import { totalsOf } from "#lib/base/tally.ts";
import { BULK_TIMEOUT_MS } from "#lib/base/transaction.ts";
import { countsOf, rateOfDecisions, readStreamTotals } from "#lib/stats/get-stats.ts";
import { fetchRunRows } from "./fetch-sql.ts";
import {
  settingNames,
  streamDefaults,
  type FetchRun,
  type Stream,
  type StreamCreate,
  type StreamSetting,
  type StreamSettings,
  type StreamState,
  type StreamUpdate,
} from "./stream-schema.ts";

type Columns = Prisma.streamGetPayload<object>;

/** A row of `stream`; a setting without a column fails to compile. */
export type StreamRow = Omit<Columns, StreamSetting> & Pick<Columns, StreamSetting> & StreamSettings;

/** @throws ApiError `stream_not_found` */
async function lockStream(tx: Tx, id: number): Promise<StreamRow> {
  const [row] = await tx.$queryRaw<StreamRow[]>`SELECT * FROM stream WHERE id = ${id} FOR UPDATE`;
  if (row === undefined) throw new ApiError("stream_not_found", { id });
  return row;
}

/**
 * Plans the next fetch by the database's clock.
 *
 * @param change.newSource resets the cursor and a running fetch's lease
 * @param change.resumed the first fetch is due at once
 */
async function updateSchedule(
  tx: Tx,
  id: number,
  change: { newSource: boolean; resumed: boolean },
): Promise<void> {
  const reset = Prisma.sql`, cursor = '{}', fetch_lease = NULL, fetch_lease_until = NULL, last_error = NULL,
    last_error_kind = NULL, error_count = 0, failing_since = NULL, behind_since = NULL, last_fetch = NULL, last_check = NULL,
    platform = (SELECT software FROM host_state WHERE host = stream.instance)`;
  await tx.$executeRaw`
    UPDATE stream SET updated_at = now(), next_scheduled_fetch = CASE
        WHEN NOT (active AND enable_scheduling) THEN NULL
        WHEN ${change.resumed || change.newSource}::boolean THEN now()
        -- A shorter interval takes effect now, a longer one after the next fetch.
        ELSE least(coalesce(next_scheduled_fetch, now()),
                   now() + fetch_interval_minutes * interval '1 minute') END
        ${change.newSource ? reset : Prisma.empty}
     WHERE id = ${id}`;
}

/** The streams among `ids` that have ever stored a post or seen a stored one. */
async function streamsWithPosts(ids: number[], tx: Tx = db): Promise<Set<number>> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT s.id FROM stream s
     WHERE s.id = ANY (${ids}::int[])
       AND (EXISTS (SELECT FROM sighting WHERE stream_id = s.id)
            OR EXISTS (SELECT FROM post WHERE stream_id = s.id)
            OR EXISTS (SELECT FROM tally_now('{total}')
                        WHERE key = s.id::text AND metric = 'fetched' AND n > 0))`;
  return new Set(rows.map((row) => row.id));
}

/** @throws ApiError `stream_not_found` */
export async function getStream(id: number): Promise<Stream> {
  const [stream] = await serializeStreams([await requireStream(id)]);
  return stream as Stream;
}

async function requireStream(id: number): Promise<StreamRow> {
  const row = await db.stream.findUnique({ where: { id } });
  if (row === null) throw new ApiError("stream_not_found", { id });
  return row as StreamRow;
}

/** A page of streams in order of id, and the total. */
export async function listStreams(filter: {
  active?: boolean | undefined;
  skip: number;
  limit: number;
}): Promise<{ items: Stream[]; total: number; skip: number; limit: number }> {
  const { active, skip, limit } = filter;
  const where = active === undefined ? {} : { active };
  const [rows, total] = await Promise.all([
    db.stream.findMany({ where, orderBy: { id: "asc" }, skip: Math.min(skip, MAX_ID), take: limit }),
    db.stream.count({ where }),
  ]);
  return { items: await serializeStreams(rows as StreamRow[]), total, skip, limit };
}

/** The first 1000 streams, for a select box. */
export async function streamChoices(): Promise<{ id: number; hashtag: string; instance: string }[]> {
  return db.stream.findMany({
    select: { id: true, hashtag: true, instance: true },
    orderBy: { id: "asc" },
    take: 1000,
  });
}

/** State of a stream, as in docs/api.md#streams. */
function stateOf(row: StreamRow): StreamState {
  if (!row.active) return "paused";
  if (row.last_error_kind === "needs_token" || row.last_error_kind === "token_refused")
    return "waiting_for_token";
  if (row.failing_since !== null) return "failing";
  return row.last_fetch === null ? "checking" : "working";
}

async function serializeStreams(rows: StreamRow[]): Promise<Stream[]> {
  const ids = rows.map((row) => row.id);
  const [totals, fixed] = await Promise.all([readStreamTotals(ids), streamsWithPosts(ids)]);
  return rows.map((row) => {
    const {
      hashtag_folded: _folded,
      error_count: _errors,
      cursor: _cursor,
      fetch_lease: _lease,
      fetch_lease_until: _until,
      asked_at: _asked,
      ...shown
    } = row;
    const of = totals.get(row.id) ?? totalsOf();
    return {
      ...isoTimes(shown),
      state: stateOf(row),
      source_fixed: fixed.has(row.id),
      ...countsOf(of),
      approval_rate: of.events.approved + of.events.rejected > 0 ? rateOfDecisions(of) : null,
    };
  });
}

/** @throws ApiError `stream_not_found` */
export async function listFetchRuns(streamId: number, limit: number): Promise<FetchRun[]> {
  await requireStream(streamId);
  const rows = await fetchRunRows(streamId, limit);
  return rows.map((row) => isoTimes({ ...row, id: Number(row.id) }));
}

/**
 * Adds a stream. Its first fetch is due at once, unless the stream is inactive or has no schedule.
 *
 * @throws ApiError 422 for an instance that is not a public host, `stream_exists`
 */
export async function createStream(actor: Actor, body: StreamCreate): Promise<Stream> {
  const instance = requireInstance(body.instance ?? env().DEFAULT_INSTANCE);
  const settings: StreamSettings = {
    ...streamDefaults,
    ...definedOnly(body),
    hashtag: body.hashtag,
    instance,
  };
  const id = await db.$transaction(async (tx) => {
    const create = tx.stream.create({ data: columnsOf(settings), select: { id: true } });
    const { id } = await unlessExists(settings, create);
    await updateSchedule(tx, id, { newSource: true, resumed: true });
    await recordAudit(tx, actor, {
      action: "stream.create",
      subject: streamLabel(settings),
      after: { ...settings },
    });
    return id;
  });
  return getStream(id);
}

/**
 * Changes a stream. A new hashtag or instance resets the cursor, and is refused once a post was stored.
 *
 * @throws ApiError `stream_not_found`, 422 for the instance, `stream_exists`, `stream_has_posts`
 */
export async function updateStream(actor: Actor, id: number, changes: StreamUpdate): Promise<void> {
  const given = definedOnly(changes);
  if (given.instance !== undefined) given.instance = requireInstance(given.instance);
  await db.$transaction(async (tx) => {
    const before = pick(await lockStream(tx, id), settingNames);
    const after = { ...before, ...given };
    const changed = settingNames.filter((name) => !isDeepStrictEqual(before[name], after[name]));
    if (changed.length === 0) return;
    const newSource =
      foldHashtag(after.hashtag) !== foldHashtag(before.hashtag) || after.instance !== before.instance;
    if (newSource && (await streamsWithPosts([id], tx)).has(id))
      throw new ApiError("stream_has_posts", { id });
    await unlessExists(
      after,
      tx.stream.update({ where: { id }, data: columnsOf(after), select: { id: true } }),
    );
    const resumed = after.active && after.enable_scheduling && !(before.active && before.enable_scheduling);
    await updateSchedule(tx, id, { newSource, resumed });
    await recordAudit(tx, actor, {
      action: "stream.update",
      subject: streamLabel(before),
      before: pick(before, changed),
      after: pick(after, changed),
    });
  });
}

/**
 * Deletes a stream. Its posts and their queue entries stay, without a stream. A trigger updates the counters.
 *
 * @throws ApiError `stream_not_found`
 */
export async function deleteStream(actor: Actor, id: number): Promise<void> {
  await db.$transaction(
    async (tx) => {
      const row = await lockStream(tx, id);
      await tx.stream.delete({ where: { id }, select: { id: true } });
      await tx.$executeRaw`UPDATE queue_entry SET stream_id = NULL WHERE stream_id = ${id}::int`;
      await recordAudit(tx, actor, {
        action: "stream.delete",
        subject: streamLabel(row),
        before: pick(row, settingNames),
      });
    },
    // The transaction rewrites every post of the stream.
    { timeout: BULK_TIMEOUT_MS },
  );
}

type Source = Pick<StreamSettings, "hashtag" | "instance">;

function streamLabel({ hashtag, instance }: Source): string {
  return `#${hashtag} on ${instance}`;
}

/** Does not compile if the table `stream` lacks a setting. */
function columnsOf(settings: StreamSettings) {
  return { ...settings, hashtag_folded: foldHashtag(settings.hashtag) } satisfies Prisma.streamCreateInput;
}

/** @throws ApiError `stream_exists`, which quotes the stored hashtag */
async function unlessExists<T>({ hashtag, instance }: Source, write: PromiseLike<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
    const stored = await db.stream.findUnique({
      where: { hashtag_folded_instance: { hashtag_folded: foldHashtag(hashtag), instance } },
      select: { hashtag: true },
    });
    throw new ApiError("stream_exists", { hashtag: stored?.hashtag ?? hashtag, instance });
  }
}

function definedOnly(changes: StreamUpdate): Partial<StreamSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function pick<Name extends StreamSetting>(settings: StreamSettings, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<StreamSettings, Name>;
}

export interface Server {
  host: string;
  /** Domain of the server's accounts, if it is not the host. */
  domain: string | null;
  software: string | null;
  streams: number;
  has_token: boolean;
  token_problem: "needs_token" | "token_refused" | "unreadable" | null;
}

/** Servers with a stream or a token, in order of name. */
export async function listServers(): Promise<Server[]> {
  const rows = await db.$queryRaw<(Server & { token: Uint8Array | null })[]>`
    WITH streamed AS (
      SELECT instance, count(*)::int AS streams,
             -- A missing token first: setting one solves both.
             min(last_error_kind) FILTER (WHERE last_error_kind IN ('needs_token', 'token_refused')) AS token_problem
        FROM stream GROUP BY instance
    )
    SELECT coalesce(s.instance, h.host) AS host, h.software, nullif(h.domain, h.host) AS domain, h.token IS NOT NULL AS has_token, h.token,
           s.token_problem, coalesce(s.streams, 0) AS streams
      FROM streamed s
      FULL JOIN (SELECT * FROM host_state WHERE token IS NOT NULL OR host IN (SELECT instance FROM streamed)) h
        ON h.host = s.instance
     ORDER BY 1`;
  return rows.map(({ token, ...server }) => {
    // For example after a restore without the former ENCRYPTION_KEY.
    const isUnreadable = token !== null && decryptToken(server.host, token) === null;
    return isUnreadable ? { ...server, token_problem: "unreadable" } : server;
  });
}
