import { toIso } from "#lib/clock.ts";
import { botAgeRows, botDayRows, botRows, type BotRow } from "./answers-sql.ts";
import type { BotFigures } from "./answers-schema.ts";
import { percent } from "./metrics-schema.ts";
import { daysOf, type DayRange } from "./overview-schema.ts";
import { compactFigures } from "./stored-figures.ts";
import { waitOf } from "./wait-buckets.ts";

const BOTS = 50;

/**
 * Keys that may receive posts, and keys that received some in the range.
 *
 * @param range UTC days, both included
 */
export async function getBotFigures(range: DayRange): Promise<BotFigures[]> {
  await compactFigures(new Date(Date.now() + 1000));
  const rows = await botRows(range, BOTS);
  const ids = rows.map((row) => row.api_key_id);
  const [days, ages] = await Promise.all([botDayRows(range, ids), botAgeRows(range, ids)]);
  return rows.map((row) => ({
    api_key_id: row.api_key_id,
    name: row.name,
    active: !row.revoked,
    last_seen_at: toIso(row.last_seen_at),
    reserved: row.reserved,
    delivered: row.delivered,
    deliveries_per_day: Math.round((row.delivered / daysOfKey(row, range)) * 100) / 100,
    errors: row.errors,
    error_share: percent(row.errors, row.delivered + row.errors),
    age: waitOf(ages.filter((age) => age.api_key_id === row.api_key_id)),
    days: days
      .filter((day) => day.api_key_id === row.api_key_id)
      .map(({ date, delivered, errors }) => ({ date, delivered, errors })),
  }));
}

/** Days of the range since the key was created, without days to come. */
function daysOfKey({ created_at }: BotRow, range: DayRange): number {
  const today = new Date().toISOString().slice(0, 10);
  const created = created_at.toISOString().slice(0, 10);
  const from = created > range.from ? created : range.from;
  const to = today < range.to ? today : range.to;
  return Math.max(1, daysOf({ from, to }));
}
