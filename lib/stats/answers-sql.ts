import { db, Prisma } from "#lib/db.ts";
import type { DayRange } from "./overview-schema.ts";
import { figuresWithin, sumsOf } from "./sql.ts";

/* Reads figures by hour and by day, never posts. */

export interface FlowSums {
  arrivals: number;
  decisions: number;
  deliveries: number;
  /** By reviewers. */
  rejections: number;
}

/** An hour of the week (0 is Monday) or a UTC day. */
export type FlowSumRow = FlowSums &
  ({ weekday: number; hour: number; date: null } | { weekday: null; hour: null; date: string });

/** The same hours added up twice: by hour of the week, and by day. Without empty ones. */
export async function flowSumRows(range: DayRange): Promise<FlowSumRow[]> {
  return db.$queryRaw<FlowSumRow[]>`
    SELECT extract(isodow FROM at)::int - 1 AS weekday, extract(hour FROM at)::int AS hour, to_char(at, 'YYYY-MM-DD') AS date,
           sum(n * arrival)::float8 AS arrivals, sum(n * decision)::float8 AS decisions,
           sum(n * delivery)::float8 AS deliveries, sum(n * rejection)::float8 AS rejections
      FROM (VALUES ('fetched', 1, 0, 0, 0), ('auto_rejected', -1, 0, 0, 0), ('approved', 0, 1, 0, 0), ('rejected', 0, 1, 0, 1),
                   ('delivered', 0, 0, 1, 0)) part (metric, arrival, decision, delivery, rejection)
      JOIN (SELECT at, metric, n FROM figure_now('{all}', 'hour')
             WHERE bucket = -1 AND at >= ${range.from}::date AND at < ${range.to}::date + 1
               AND metric IN ('fetched', 'auto_rejected', 'approved', 'rejected', 'delivered')) each USING (metric)
     GROUP BY GROUPING SETS ((1, 2), (3))
    HAVING (sum(n * arrival), sum(n * decision), sum(n * delivery), sum(n * rejection)) <> (0, 0, 0, 0)`;
}

/** Posts fetched in the range, by their outcome, and posts that were not stored. */
export async function outcomeRows(range: DayRange): Promise<{ outcome: string; n: number }[]> {
  return db.$queryRaw<{ outcome: string; n: number }[]>`
    SELECT key AS outcome, sum(n)::float8 AS n
      FROM ${figuresWithin(range, Prisma.sql`dimension = 'outcome' AND metric = 'posts' AND bucket = -1`)} stored GROUP BY 1
    UNION ALL
    SELECT 'not_stored', coalesce(sum(n), 0)::float8
      FROM ${figuresWithin(range, Prisma.sql`dimension = 'reason' AND metric = 'dropped' AND bucket = -1`)} dropped`;
}

/** Rejections by filters, by UTC day, without days and reasons that have none. */
export async function filterRejectionRows(
  range: DayRange,
): Promise<{ date: string; reason: string; count: number }[]> {
  return db.$queryRaw<{ date: string; reason: string; count: number }[]>`
    SELECT to_char(at, 'YYYY-MM-DD') AS date, key AS reason, n::float8 AS count FROM figure
     WHERE dimension = 'reason' AND grain = 'day' AND metric = 'auto_rejected' AND bucket = -1
       AND at BETWEEN ${range.from}::date AND ${range.to}::date AND n <> 0 ORDER BY 1, 2`;
}

export interface LanguageRow {
  /** Empty when unknown. */
  language: string;
  fetched: number;
  reviewed: number;
  approved: number;
}

export async function languageRows(range: DayRange, limit: number): Promise<LanguageRow[]> {
  return db.$queryRaw<LanguageRow[]>`
    SELECT key AS language, ${sumsOf(["fetched", "reviewed", "approved"])}
      FROM ${figuresWithin(range, Prisma.sql`dimension = 'language' AND bucket = -1 AND metric IN ('fetched', 'approved', 'rejected')`)} each
     GROUP BY 1 HAVING sum(n) FILTER (WHERE metric = 'fetched') <> 0 OR sum(n) FILTER (WHERE metric <> 'fetched') <> 0
     ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
}

export interface AgreementRow {
  first_id: number;
  first: string;
  second_id: number;
  second: string;
  outcome: "same" | "different" | "taken_back";
  n: number;
}

export async function agreementRows(range: DayRange): Promise<AgreementRow[]> {
  return db.$queryRaw<AgreementRow[]>`
    SELECT (key::jsonb ->> 0)::int AS first_id, key::jsonb ->> 1 AS first, (key::jsonb ->> 2)::int AS second_id,
           key::jsonb ->> 3 AS second, metric AS outcome, sum(n)::float8 AS n
      FROM ${figuresWithin(range, Prisma.sql`dimension = 'pair' AND bucket = -1 AND metric IN ('same', 'different', 'taken_back')`)} each
     GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) > 0 ORDER BY sum(n) DESC, 2, 4, 1, 3, 5`;
}

export interface BotRow {
  api_key_id: number;
  name: string;
  created_at: Date;
  last_seen_at: Date | null;
  revoked: boolean;
  reserved: number;
  delivered: number;
  errors: number;
}

/** Keys that may receive posts, and others that did. A revoked or expired key without events in the range is left out. */
export async function botRows(range: DayRange, limit: number): Promise<BotRow[]> {
  return db.$queryRaw<BotRow[]>`
    SELECT k.id AS api_key_id, k.name, k.created_at, k.last_asked_at AS last_seen_at,
           k.revoked_at IS NOT NULL OR coalesce(k.expires_at <= now(), false) AS revoked, coalesce(r.n, 0)::int AS reserved,
           coalesce(s.delivered, 0)::float8 AS delivered, coalesce(s.errors, 0)::float8 AS errors
      FROM api_key k
      LEFT JOIN (SELECT key::int AS api_key_id, ${sumsOf(["delivered", "errors"])}
                   FROM ${figuresWithin(range, Prisma.sql`dimension = 'bot' AND bucket = -1 AND metric IN ('delivered', 'errors')`)} each
                  GROUP BY 1) s ON s.api_key_id = k.id
      LEFT JOIN (SELECT lease_key_id, count(*) AS n FROM queue_entry WHERE lease_expires_at >= now() GROUP BY 1) r
             ON r.lease_key_id = k.id
     WHERE s.delivered + s.errors > 0
        OR ('consume' = ANY (k.scopes) AND k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true))
     ORDER BY 7 DESC, k.id LIMIT ${limit}::int`;
}

export interface BotDayRow {
  api_key_id: number;
  date: string;
  delivered: number;
  errors: number;
}

/** Without empty days. */
export async function botDayRows(range: DayRange, keyIds: number[]): Promise<BotDayRow[]> {
  return db.$queryRaw<BotDayRow[]>`
    SELECT key::int AS api_key_id, to_char(at, 'YYYY-MM-DD') AS date, ${sumsOf(["delivered", "errors"])} FROM figure
     WHERE dimension = 'bot' AND grain = 'day' AND bucket = -1 AND metric IN ('delivered', 'errors')
       AND key = ANY (${keyIds.map(String)}::text[]) AND at BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** Histogram of the age at delivery. */
export async function botAgeRows(
  range: DayRange,
  keyIds: number[],
): Promise<{ api_key_id: number; bucket: number; n: number }[]> {
  const where = Prisma.sql`dimension = 'bot' AND metric = 'age' AND key = ANY (${keyIds.map(String)}::text[])`;
  return db.$queryRaw<{ api_key_id: number; bucket: number; n: number }[]>`
    SELECT key::int AS api_key_id, bucket::int AS bucket, sum(n)::float8 AS n FROM ${figuresWithin(range, where)} each
     GROUP BY 1, 2`;
}
