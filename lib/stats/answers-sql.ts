import { db } from "#lib/db.ts";
import type { DayRange } from "./overview-schema.ts";

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
    SELECT extract(isodow FROM utc)::int - 1 AS weekday, extract(hour FROM utc)::int AS hour, to_char(utc, 'YYYY-MM-DD') AS date,
           sum(fetched - auto_rejected)::float8 AS arrivals, sum(reviews - auto_rejected)::float8 AS decisions,
           sum(deliveries)::float8 AS deliveries, sum(rejections - auto_rejected)::float8 AS rejections
      FROM (SELECT *, hour AT TIME ZONE 'UTC' AS utc FROM counter_hourly_total
             WHERE hour >= ${range.from}::date AT TIME ZONE 'UTC' AND hour < (${range.to}::date + 1) AT TIME ZONE 'UTC') each
     GROUP BY GROUPING SETS ((1, 2), (3))
    HAVING (sum(fetched - auto_rejected), sum(reviews - auto_rejected), sum(deliveries), sum(rejections - auto_rejected))
           <> (0, 0, 0, 0)`;
}

/** Posts fetched in the range, by their outcome; see stat_outcome. */
export async function outcomeRows(range: DayRange): Promise<{ outcome: string; n: number }[]> {
  return db.$queryRaw<{ outcome: string; n: number }[]>`
    SELECT outcome, sum(n)::float8 AS n FROM stat_outcome
     WHERE day BETWEEN ${range.from}::date AND ${range.to}::date GROUP BY 1
    UNION ALL
    SELECT 'not_stored', coalesce(sum(n), 0)::float8 FROM stat_reason
     WHERE kind = 'dropped' AND day BETWEEN ${range.from}::date AND ${range.to}::date`;
}

/** Rejections by filters, by UTC day, without days and reasons that have none. */
export async function filterRejectionRows(
  range: DayRange,
): Promise<{ date: string; reason: string; count: number }[]> {
  return db.$queryRaw<{ date: string; reason: string; count: number }[]>`
    SELECT to_char(day, 'YYYY-MM-DD') AS date, reason, sum(n)::float8 AS count FROM stat_reason
     WHERE kind = 'auto_rejected' AND day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2`;
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
    SELECT language, sum(fetched)::float8 AS fetched, sum(reviews)::float8 AS reviewed, sum(approvals)::float8 AS approved
      FROM stat_language WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1 HAVING sum(fetched) <> 0 OR sum(reviews) <> 0 ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
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
    SELECT first_id, first, second_id, second, outcome, sum(n)::float8 AS n
      FROM stat_agreement WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) > 0 ORDER BY sum(n) DESC, 2, 4, 1, 3, 5`;
}

export interface CheckAgreementRow {
  /** Before the decision; API keys always see it. */
  shown: boolean;
  decisions: number;
  agreed: number;
}

/** Agreement in at most 20,000 decisions (check_example), with and without visible advice. */
export async function checkAgreementRows(range: DayRange): Promise<CheckAgreementRow[]> {
  return db.$queryRaw<CheckAgreementRow[]>`
    SELECT visible AS shown, count(*)::int AS decisions, (count(*) FILTER (WHERE would_reject = rejected))::int AS agreed
      FROM check_example
     WHERE reviewed_at >= ${range.from}::date AT TIME ZONE 'UTC' AND reviewed_at < (${range.to}::date + 1) AT TIME ZONE 'UTC'
       AND would_reject IS NOT NULL
     GROUP BY 1 ORDER BY 1`;
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
    SELECT k.id AS api_key_id, k.name, k.created_at, k.last_used_at AS last_seen_at,
           k.revoked_at IS NOT NULL OR coalesce(k.expires_at <= now(), false) AS revoked, coalesce(r.n, 0)::int AS reserved,
           coalesce(s.delivered, 0)::float8 AS delivered, coalesce(s.errors, 0)::float8 AS errors
      FROM api_key k
      LEFT JOIN (SELECT api_key_id, sum(deliveries) AS delivered, sum(errors) AS errors FROM stat_bot
                  WHERE day BETWEEN ${range.from}::date AND ${range.to}::date GROUP BY 1) s ON s.api_key_id = k.id
      LEFT JOIN (SELECT lease_key_id, count(*) AS n FROM queue_entry WHERE lease_expires_at IS NOT NULL GROUP BY 1) r
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
    SELECT api_key_id, to_char(day, 'YYYY-MM-DD') AS date, deliveries AS delivered, errors FROM stat_bot
     WHERE api_key_id = ANY (${keyIds}::int[]) AND day BETWEEN ${range.from}::date AND ${range.to}::date ORDER BY 1, 2`;
}

/** Histogram of the age at delivery. */
export async function botAgeRows(
  range: DayRange,
  keyIds: number[],
): Promise<{ api_key_id: number; bucket: number; n: number }[]> {
  return db.$queryRaw<{ api_key_id: number; bucket: number; n: number }[]>`
    SELECT api_key_id, bucket::int AS bucket, sum(n)::float8 AS n FROM stat_bot_age
     WHERE api_key_id = ANY (${keyIds}::int[]) AND day BETWEEN ${range.from}::date AND ${range.to}::date GROUP BY 1, 2`;
}
