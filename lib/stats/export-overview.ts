import { definitionOf, figures, type FigureName } from "#lib/figures-schema.ts";
import { csvLine } from "#lib/http/csv.ts";
import { getOverview } from "./get-overview.ts";
import { listDays } from "./get-stats.ts";
import type { Wait } from "./answers-schema.ts";
import type { DayRange, Overview } from "./overview-schema.ts";

type Value = number | string | null;
type Line = [section: string, name: string, figure: string, value: Value, previous?: number | null];

/** Figures whose names differ from their definitions. */
const defined: Readonly<Record<string, FigureName>> = {
  // Without rejections by filters.
  "reviewers/reviewed": "decided",
  "instances/reviewed": "decided",
  "authors/top_1_share": "author_share",
  "authors/top_10_share": "author_share",
  "authors/share": "author_share",
  "reasons/dropped": "not_stored",
  "runway/supply": "runway_days",
  "runway/days": "runway_days",
  "runway/pace_days": "deliveries_per_day",
  "runway/runs_dry_at": "runway_days",
  "runway/with_approvals_runs_dry_at": "supply_with_approvals",
  "hours/decisions": "hourly_decisions",
  "hours/deliveries": "delivered",
  "agreement/same": "decided_twice_same",
  "agreement/different": "decided_twice_different",
  "agreement/share": "reviewer_agreement",
  "pairs/same": "decided_twice_same",
  "pairs/different": "decided_twice_different",
  "pairs/share": "reviewer_agreement",
  "bots/last_seen_at": "bot_last_seen",
  "bots/delivered": "bot_delivered",
  "bots/deliveries_per_day": "bot_deliveries_per_day",
  "bots/errors": "bot_errors",
  "bots/error_share": "bot_error_share",
};

function definitionOfLine(section: string, figure: string): string {
  const named = (name: string) => (name in figures ? (name as FigureName) : undefined);
  const wait = /^time_to_(review|delivery)/.exec(figure)?.[0];
  const name =
    defined[`${section}/${figure}`] ??
    named(section === "outcomes" ? `outcome_${figure}` : figure) ??
    named(figure) ??
    named(section) ??
    named(wait ?? "") ??
    (section === "bots" && figure.startsWith("age_") ? "bot_age" : undefined);
  return name === undefined ? "" : definitionOf(name);
}

/**
 * CSV: `section,name,figure,value,previous,definition`. Only totals and waits have a previous value.
 *
 * @param only sections, separated by commas
 */
export async function* exportOverview(range: DayRange, only?: string): AsyncGenerator<string, void> {
  const [overview, days] = await Promise.all([getOverview(range), listDays(range)]);
  const wanted = only?.split(",");
  yield csvLine(["section", "name", "figure", "value", "previous", "definition"]);
  const lines = [...linesOf(overview), ...days.flatMap((day) => numbersOf("days", day.date, day))];
  for (const [section, name, figure, value, previous = null] of lines) {
    if (wanted?.includes(section) === false) continue;
    yield csvLine([section, name, figure, value, previous, definitionOfLine(section, figure)]);
  }
}

function linesOf(overview: Overview): Line[] {
  const { totals, funnel, authors, reject_reasons, runway } = overview;
  return [
    ...Object.entries(totals.current).map(([figure, value]): Line => {
      return ["totals", "", figure, value, totals.previous[figure as keyof typeof totals.previous]];
    }),
    ...comparedWaits("time_to_review", overview.time_to_review),
    ...comparedWaits("time_to_delivery", overview.time_to_delivery),
    ...overview.reviewers.flatMap((line) => numbersOf("reviewers", line.reviewer, line, ["member_id"])),
    ...overview.streams.flatMap((line) =>
      numbersOf("streams", `#${line.hashtag} on ${line.instance}`, line, ["id"]),
    ),
    ...overview.instances.flatMap((line) => numbersOf("instances", line.instance, line)),
    ...authors.top.flatMap((line) => numbersOf("authors", line.author, line)),
    ["authors", "", "top_1_share", authors.top_1_share],
    ["authors", "", "top_10_share", authors.top_10_share],
    ...(["dropped", "auto_rejected", "errors", "held_now"] as const).flatMap((figure) =>
      funnel[figure].map(({ reason, count }): Line => ["reasons", reason, figure, count]),
    ),
    ...reject_reasons.map(({ label, count }): Line => [
      "reject_reasons",
      label ?? "",
      "rejected_by_reviewers",
      count,
    ]),
    ...Object.entries(runway).map(([figure, value]): Line => ["runway", "", figure, value]),
    ...linesOfAnswers(overview),
  ];
}

function linesOfAnswers({ hours, outcomes, rejections, languages, agreement, bots }: Overview): Line[] {
  return [
    ...hours.flatMap(({ weekday, hour, ...figures }) =>
      numbersOf("hours", `${WEEKDAYS[weekday]} ${String(hour).padStart(2, "0")}`, figures),
    ),
    ...numbersOf("outcomes", "", outcomes),
    ...rejections.flatMap(({ date, by_reviewers, by_filters }): Line[] => [
      ["rejections", date, "rejected_by_reviewers", by_reviewers],
      ...by_filters.map(({ reason, count }): Line => [
        "rejections",
        `${date} ${reason}`,
        "auto_rejected",
        count,
      ]),
    ]),
    ...languages.flatMap(({ language, ...figures }) => numbersOf("languages", language, figures)),
    ...numbersOf("agreement", "", agreement, ["pairs", "reviewers"]),
    ...agreement.pairs.flatMap((pair) =>
      numbersOf("pairs", `${pair.first} / ${pair.second}`, pair, ["first_member_id", "second_member_id"]),
    ),
    ...agreement.reviewers.flatMap((line) => numbersOf("reviewers", line.reviewer, line, ["member_id"])),
    ...bots.flatMap((bot) => [
      ...numbersOf("bots", bot.name, bot, ["api_key_id", "days", "last_seen_at"]),
      ["bots", bot.name, "last_seen_at", bot.last_seen_at] as Line,
    ]),
  ];
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

function comparedWaits(section: string, waits: { current: Wait; previous: Wait }): Line[] {
  return (Object.keys(waits.current) as (keyof Wait)[]).map((figure) => [
    section,
    "",
    figure,
    waits.current[figure],
    waits.previous[figure],
  ]);
}

/** The numbers of an object; those of a nested wait get its name as a prefix. */
function numbersOf(section: string, name: string, line: object, without: string[] = []): Line[] {
  return Object.entries(line).flatMap(([figure, value]: [string, unknown]): Line[] => {
    if (without.includes(figure)) return [];
    if (typeof value === "number" || value === null) return [[section, name, figure, value]];
    if (typeof value !== "object") return [];
    return numbersOf(section, name, value).map(([, , part, n]) => [section, name, `${figure}_${part}`, n]);
  });
}
