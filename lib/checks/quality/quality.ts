import { setImmediate as nextTurn } from "node:timers/promises";
import { toIso } from "#lib/clock.ts";
import { MIN_OF_EACH } from "#lib/checks/learner/calibrate.ts";
import {
  brierScore,
  brierSkill,
  calibrationBins,
  expectedCalibrationError,
  learningCurve,
  precisionRecallAt,
  rocAuc,
  shareRejected,
  wilsonInterval,
} from "#lib/checks/learner/metrics.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { checkNames, type CheckName, type CheckSettings } from "#lib/checks/results/check-names.ts";
import type { Agreement, CheckFigures, CheckQuality, ChecksQuality, Share } from "./schema.ts";
import { loggedCheckRows, logStateRow, MARKS, MARKS_BASE, type LogState } from "./sql.ts";

const RECENT = 500;
/** Two-sided 95 %. */
const Z = 1.96;

/** Decisions about posts with a score of one check, in review order. */
interface Series {
  scores: number[];
  rejected: boolean[];
  /** See `MARKS`. */
  marks: number[];
  /** Place of each decision in the log, from 1. */
  decisions: number[];
  version: string | null;
}

const NOTHING: Series = { scores: [], rejected: [], marks: [], decisions: [], version: null };

let latest: { of: string; quality: Promise<ChecksQuality> } | undefined;

/** Computed from the log of decisions; again only when the log or a setting has changed. */
export async function getQuality(): Promise<ChecksQuality> {
  const [state, settings] = await Promise.all([logStateRow(), readCheckSettings()]);
  const of = JSON.stringify([state, settings.checks]);
  if (latest?.of !== of) {
    const quality = computeQuality(state, settings);
    latest = { of, quality };
    quality.catch(() => {
      if (latest?.quality === quality) latest = undefined;
    });
  }
  return latest.quality;
}

async function computeQuality(state: LogState, settings: CheckSettings): Promise<ChecksQuality> {
  const series = new Map((await loggedCheckRows(checkNames)).map((row) => [row.name, seriesOf(row)]));
  const checks: CheckQuality[] = [];
  for (const name of checkNames) {
    checks.push(describeCheck(name, settings, series.get(name) ?? NOTHING));
    await nextTurn();
  }
  return {
    decisions: state.decisions,
    rejected: state.rejected,
    left_out: state.left_out,
    newest_at: state.newest_at && toIso(state.newest_at),
    ...neededOf(state.decisions, state.rejected),
    advice: agreementOf(adviceOf([...series.values()])),
    checks,
  };
}

function seriesOf(row: Awaited<ReturnType<typeof loggedCheckRows>>[number]): Series {
  const order = row.decisions.map((_, i) => i).sort((a, b) => place(a) - place(b));
  function place(i: number): number {
    return row.decisions[i] ?? 0;
  }
  const marks = order.map((i) => row.marks.charCodeAt(i) - MARKS_BASE);
  return {
    scores: order.map((i) => row.scores[i] ?? 0),
    rejected: marks.map((mark) => has(mark, MARKS.rejected)),
    marks,
    decisions: order.map(place),
    version: row.versions[order.at(-1) ?? 0] ?? null,
  };
}

function has(mark: number, bit: number): boolean {
  return (mark & bit) !== 0;
}

function describeCheck(name: CheckName, settings: CheckSettings, series: Series): CheckQuality {
  const { votes, enabled, threshold, stopped_at, stopped_why } = settings.checks[name];
  const recent = Object.fromEntries(
    Object.entries(series).map(([key, list]) => [key, Array.isArray(list) ? list.slice(-RECENT) : list]),
  ) as unknown as Series;
  return {
    name,
    version: series.version,
    threshold,
    enabled,
    votes: enabled && votes,
    stopped_at: stopped_at && toIso(stopped_at),
    stopped_why,
    ...neededOf(series.rejected.length, series.rejected.filter(Boolean).length),
    last_500: figuresOf(recent, threshold),
    all_time: figuresOf(series, threshold),
    learning_curve: learningCurve(series.scores, series.rejected),
    agreement: agreementOf(series.marks),
  };
}

function neededOf(decisions: number, rejected: number): { counted: number; needed: number } {
  return {
    counted: Math.min(rejected, MIN_OF_EACH) + Math.min(decisions - rejected, MIN_OF_EACH),
    needed: 2 * MIN_OF_EACH,
  };
}

function figuresOf({ scores, rejected, marks }: Series, threshold: number | null): CheckFigures {
  return {
    n: rejected.length,
    rejected: rejected.filter(Boolean).length,
    base_rate: shareRejected(rejected),
    auc: rocAuc(scores, rejected),
    brier: brierScore(scores, rejected),
    brier_skill: brierSkill(scores, rejected),
    ece: expectedCalibrationError(scores, rejected),
    bins: calibrationBins(scores, rejected),
    ...(threshold === null ? asAdvised(marks, rejected) : precisionRecallAt(scores, rejected, threshold)),
  };
}

/** Quality of a check without one threshold for all posts. */
function asAdvised(marks: readonly number[], rejected: readonly boolean[]) {
  const flagged = marks.map((mark) => (has(mark, MARKS.flagged) ? 1 : 0));
  return flagged.includes(1) ? precisionRecallAt(flagged, rejected, 1) : { precision: null, recall: null };
}

/** Marks of all voting checks together, one for each decision that a check voted on. */
function adviceOf(all: readonly Series[]): number[] {
  const advice = new Map<number, number>();
  for (const { marks, decisions } of all) {
    for (const [i, mark] of marks.entries()) {
      if (!has(mark, MARKS.votes)) continue;
      const decision = decisions[i] ?? 0;
      advice.set(decision, (advice.get(decision) ?? 0) | mark);
    }
  }
  return [...advice.values()];
}

function agreementOf(all: readonly number[]): Agreement {
  const marks = all.filter((mark) => has(mark, MARKS.advised));
  const shareOf = (some: readonly number[]): Share | null => {
    const hits = some.filter((mark) => has(mark, MARKS.rejected) === has(mark, MARKS.flagged)).length;
    const interval = wilsonInterval(hits, some.length, Z);
    return interval && { share: hits / some.length, hits, n: some.length, ...interval };
  };
  return {
    shown: shareOf(marks.filter((mark) => !has(mark, MARKS.blind | MARKS.by_key))),
    blind: shareOf(marks.filter((mark) => has(mark, MARKS.blind))),
    api_keys: shareOf(marks.filter((mark) => has(mark, MARKS.by_key))),
  };
}
