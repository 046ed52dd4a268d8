import type { z } from "zod";
import type { LogFilterValues } from "#components/settings/log/log-filters.tsx";
import { startOfDay } from "#lib/base/clock.ts";

const PAGE = 50;

interface LogAddress<Query> {
  query: Query;
  filters: LogFilterValues;
  isLater: boolean;
}

/**
 * Filters and cursor of a log in the address of its page. An invalid address shows the newest lines.
 *
 * @param names filters of the log besides its days
 * @param zone time zone of the days
 */
export function readLogAddress<Schema extends z.ZodType<{ limit: number; cursor?: string | undefined }>>(
  schema: Schema,
  names: readonly string[],
  asked: Record<string, string | string[] | undefined>,
  zone: string,
): LogAddress<z.output<Schema>> {
  const one = (name: string) => {
    const value = asked[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const named = Object.fromEntries(names.map((name) => [name, one(name)]));
  const [from, to] = [dayOf(one("from")), dayOf(one("to"))];
  const query = {
    ...named,
    // Up to the last millisecond.
    since: from && startOfDay(from, zone).toISOString(),
    until: to && new Date(startOfDay(nextDay(to), zone).getTime() - 1).toISOString(),
  };
  const whole = schema.safeParse({ ...query, cursor: one("cursor"), limit: String(PAGE) });
  return whole.success
    ? {
        query: whole.data,
        filters: { ...named, from, to },
        isLater: whole.data.cursor !== undefined,
      }
    : { query: schema.parse({ limit: String(PAGE) }), filters: {}, isLater: false };
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return new Date(text).toJSON()?.slice(0, 10) === text ? text : undefined;
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
