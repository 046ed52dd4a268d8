import {
  agreementRows,
  filterRejectionRows,
  flowSumRows,
  languageRows,
  outcomeRows,
  type FlowSumRow,
} from "./answers-sql.ts";
import type { Agreement, Outcomes } from "./answers-schema.ts";
import { getBotFigures } from "./get-bots.ts";
import { percent } from "./metrics-schema.ts";
import { addDays, daysOf, type DayRange, type Overview } from "./overview-schema.ts";

const LANGUAGES = 20;
const PAIRS = 50;

type Answers = Pick<Overview, "hours" | "outcomes" | "rejections" | "languages" | "agreement" | "bots">;

/** The panels of the statistics page; each answers one question. */
export async function getAnswers(range: DayRange): Promise<Answers> {
  const [flows, byFilters, outcomes, languages, agreement, bots] = await Promise.all([
    flowSumRows(range),
    filterRejectionRows(range),
    outcomesOf(range),
    languageFigures(range),
    agreementOf(range),
    getBotFigures(range),
  ]);
  return {
    hours: hoursOfWeek(flows),
    outcomes,
    rejections: rejectionsByDay(range, flows, byFilters),
    languages,
    agreement,
    bots,
  };
}

function hoursOfWeek(flows: readonly FlowSumRow[]): Answers["hours"] {
  const rows = new Map(
    flows.flatMap((row) => (row.date === null ? [[row.weekday * 24 + row.hour, row]] : [])),
  );
  return Array.from({ length: 168 }, (_, slot) => {
    const { arrivals = 0, decisions = 0, deliveries = 0 } = rows.get(slot) ?? {};
    return { weekday: Math.floor(slot / 24), hour: slot % 24, arrivals, decisions, deliveries };
  });
}

async function outcomesOf(range: DayRange): Promise<Outcomes> {
  const counts = new Map((await outcomeRows(range)).map((row) => [row.outcome, row.n]));
  const of = (outcome: string) => counts.get(outcome) ?? 0;
  const parts = {
    unreviewed: of("unreviewed"),
    deleted: of("deleted"),
    auto_rejected: of("auto_rejected"),
    rejected: of("rejected"),
    approved: of("approved"),
    unknown: of("unknown"),
  };
  const stored = Object.values(parts).reduce((sum, n) => sum + n, 0);
  const afterApproval = { delivered: of("delivered"), failed: of("error"), removed: of("removed") };
  return {
    found: stored + of("not_stored"),
    not_stored: of("not_stored"),
    stored,
    ...parts,
    waiting: parts.approved - afterApproval.delivered - afterApproval.failed - afterApproval.removed,
    ...afterApproval,
  };
}

function rejectionsByDay(
  range: DayRange,
  flows: readonly FlowSumRow[],
  byFilters: Awaited<ReturnType<typeof filterRejectionRows>>,
): Answers["rejections"] {
  return Array.from({ length: daysOf(range) }, (_, back) => {
    const date = addDays(range.from, back);
    return {
      date,
      by_reviewers: flows.find((row) => row.date === date)?.rejections ?? 0,
      by_filters: byFilters
        .filter((row) => row.date === date)
        .map(({ reason, count }) => ({ reason, count })),
    };
  });
}

async function languageFigures(range: DayRange): Promise<Answers["languages"]> {
  return (await languageRows(range, LANGUAGES)).map(({ language, fetched, reviewed, approved }) => ({
    language,
    fetched,
    decided: reviewed,
    approved,
    approval_rate: percent(approved, reviewed),
  }));
}

async function agreementOf(range: DayRange): Promise<Agreement> {
  const rows = await agreementRows(range);
  const count = (outcome: string) =>
    rows.reduce((sum, row) => (row.outcome === outcome ? sum + row.n : sum), 0);
  const pairs = new Map<string, Omit<Agreement["pairs"][number], "share">>();
  const takenBack = new Map<string, Agreement["reviewers"][number]>();
  for (const row of rows) {
    const first = `${row.first_id}:${row.first}`;
    if (row.outcome === "taken_back") {
      const line = takenBack.get(first) ?? {
        reviewer: row.first,
        member_id: row.first_id || null,
        taken_back: 0,
      };
      takenBack.set(first, { ...line, taken_back: line.taken_back + row.n });
      continue;
    }
    const key = `${first}/${row.second_id}:${row.second}`;
    const pair = pairs.get(key) ?? {
      first: row.first,
      first_member_id: row.first_id || null,
      second: row.second,
      second_member_id: row.second_id || null,
      same: 0,
      different: 0,
    };
    pairs.set(key, { ...pair, [row.outcome]: pair[row.outcome] + row.n });
  }
  const [same, different] = [count("same"), count("different")];
  return {
    same,
    different,
    taken_back: count("taken_back"),
    share: percent(same, same + different),
    pairs: [...pairs.values()]
      .sort((a, b) => b.same + b.different - a.same - a.different)
      .slice(0, PAIRS)
      .map((pair) => ({ ...pair, share: percent(pair.same, pair.same + pair.different) })),
    reviewers: [...takenBack.values()].slice(0, PAIRS),
  };
}
