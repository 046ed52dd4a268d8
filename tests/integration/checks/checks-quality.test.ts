import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET as getQuality } from "#app/api/v1/checks/quality/route.ts";
import type { CheckFigures, CheckQuality, ChecksQuality, Share } from "#lib/checks/quality/schema.ts";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { foundBy, listsOf } from "#components/checks/verdicts-panel.tsx";
import { db } from "#lib/db.ts";
import type { PostList } from "#lib/posts/schema.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/** A line of `check_example.checks`. */
type Line = {
  name: string;
  version: string;
  score: number | null;
  threshold: number | null;
  would_reject: boolean;
  votes: boolean;
};
interface Decision {
  rejected: boolean;
  reject_reason_id?: number | null;
  visible?: boolean;
  by_key?: boolean;
  learn?: boolean;
  minutes?: number;
  checks: Line[];
}

let reader: string;
let nextPost = 1;

beforeAll(async () => {
  reader = await makeKey({ role: "viewer", scopes: ["read"] });
});
beforeEach(async () => {
  await db.check_example.deleteMany();
  await db.check_setting.deleteMany();
});

/** In review order, one a minute, unless `minutes` says otherwise. */
async function log(decisions: readonly Decision[]): Promise<void> {
  const began = Date.now() - 86_400_000 * 20;
  await db.check_example.createMany({
    data: decisions.map(({ minutes, checks, ...rest }, i) => ({
      post_id: nextPost++,
      author_hmac: randomBytes(8),
      reviewed_at: new Date(began + (minutes ?? i) * 60_000),
      checks: checks,
      ...rest,
    })),
  });
}

function line(name: string, score: number | null, more: Partial<Line> = {}): Line {
  const threshold = more.threshold === undefined ? 0.7 : more.threshold;
  const over = score !== null && threshold !== null && score >= threshold;
  return { name, version: "1", score, threshold, would_reject: over, votes: true, ...more };
}

async function quality(): Promise<ChecksQuality> {
  const answer = await call<ChecksQuality>(getQuality, { path: "/api/v1/checks/quality", key: reader });
  expect(answer.status).toBe(200);
  return answer.json;
}
const checkOf = ({ checks }: ChecksQuality, name: string): CheckQuality => {
  const found = checks.find((check) => check.name === name);
  if (found === undefined) throw new Error(`no check ${name}`);
  return found;
};

/** A generator of numbers in 0–1 with a fixed seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const Z = 1.96;

/** The ends of the Wilson interval are the shares p with |hits/n − p| = z √(p(1−p)/n); found by bisection. */
function expectShare(actual: Share | null, hits: number, n: number): void {
  if (n === 0) {
    expect(actual).toBeNull();
    return;
  }
  const seen = hits / n;
  const distance = (p: number) => Math.abs(seen - p) - Z * Math.sqrt((p * (1 - p)) / n);
  const end = (inside: number, outside: number) => {
    for (let i = 0; i < 100; i++) {
      const middle = (inside + outside) / 2;
      if (distance(middle) <= 0) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  expect(actual).toMatchObject({ hits, n });
  expect(actual?.share).toBeCloseTo(seen, 10);
  expect(actual?.low).toBeCloseTo(seen === 0 ? 0 : end(seen, 0), 6);
  expect(actual?.high).toBeCloseTo(seen === 1 ? 1 : end(seen, 1), 6);
}

type Pair = { score: number; rejected: boolean };

function expectFigures(actual: CheckFigures, pairs: readonly Pair[], threshold: number): void {
  const rejected = pairs.filter((pair) => pair.rejected);
  const approved = pairs.filter((pair) => !pair.rejected);
  const base = rejected.length / pairs.length;
  let wins = 0;
  for (const bad of rejected)
    for (const good of approved) wins += bad.score > good.score ? 1 : bad.score === good.score ? 0.5 : 0;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const errorOf = (score: number, is: boolean) => (score - Number(is)) ** 2;
  const brier = mean(pairs.map((pair) => errorOf(pair.score, pair.rejected)));
  const constant = mean(pairs.map((pair) => errorOf(base, pair.rejected)));
  const bins = Array.from({ length: 10 }, (_, bin) =>
    pairs.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === bin),
  );
  const gaps = bins.map((bin) =>
    bin.length === 0
      ? 0
      : (bin.length / pairs.length) *
        Math.abs(mean(bin.map((pair) => pair.score)) - mean(bin.map((pair) => Number(pair.rejected)))),
  );
  expect(actual).toMatchObject({ n: pairs.length, rejected: rejected.length });
  expect(actual.base_rate).toBeCloseTo(base, 10);
  expect(actual.auc).toBeCloseTo(wins / (rejected.length * approved.length), 10);
  expect(actual.brier).toBeCloseTo(brier, 10);
  expect(actual.brier_skill).toBeCloseTo(1 - brier / constant, 10);
  expect(actual.ece).toBeCloseTo(
    gaps.reduce((sum, gap) => sum + gap, 0),
    10,
  );
  expect(actual.bins.map((bin) => bin.n)).toEqual(bins.map((bin) => bin.length));
  for (const [i, bin] of bins.entries()) {
    const shown = actual.bins[i];
    if (bin.length === 0) expect(shown).toMatchObject({ mean_score: null, share_rejected: null });
    else {
      expect(shown?.mean_score).toBeCloseTo(mean(bin.map((pair) => pair.score)), 10);
      expect(shown?.share_rejected).toBeCloseTo(mean(bin.map((pair) => Number(pair.rejected))), 10);
    }
  }
  const over = pairs.filter(({ score }) => score >= threshold);
  const hits = over.filter((pair) => pair.rejected).length;
  expectShare(actual.precision, hits, over.length);
  expectShare(actual.recall, hits, rejected.length);
}

/** Scores that know something, with ties, failed checks, hidden advice and API keys. */
function history(n: number): Decision[] {
  const random = seeded(7);
  return Array.from({ length: n }, (_, i) => {
    const rejected = random() < 0.3;
    const knows = (strength: number) =>
      Math.round(Math.min(1, Math.max(0, (rejected ? strength : 0.15) + random() * 0.5)) * 100) / 100;
    const byKey = random() < 0.2;
    const checks = [line("rules", knows(0.3), { votes: i < n / 2 })];
    if (i > 40) {
      const score = knows(0.5);
      checks.push(
        line("learner", score, { threshold: i > 80 ? 0.6 : null, version: String(Math.floor(i / 50)) }),
      );
    }
    if (i % 3 === 0) checks.push(line("picture_explicit", i % 6 === 0 ? null : knows(0.2)));
    // In shadow, and often wrong.
    checks.push(line("picture_suggestive", random() < 0.5 ? 0.9 : 0.1, { votes: false }));
    // The line of a single rule is no check of its own.
    checks.push(line("many_links", 0.9, { threshold: null, votes: false }));
    return {
      rejected,
      by_key: byKey,
      visible: byKey || random() < 0.9,
      learn: !byKey || random() < 0.5,
      // Not in the order of insertion.
      minutes: (i * 7919) % n,
      checks,
    };
  });
}

describe("GET /checks/quality", () => {
  test("has the figures of an independent computation from the raw log", async () => {
    await db.check_setting.create({ data: { name: "picture_explicit", threshold: 0.55 } });
    await db.check_setting.create({ data: { name: "learner", threshold: 0.62 } });
    await log(history(900));
    const rows = (await db.check_example.findMany({ orderBy: [{ reviewed_at: "asc" }, { id: "asc" }] })).map(
      (row) => ({ ...row, checks: row.checks as unknown as Line[] }),
    );
    const learnt = rows.filter((row) => row.learn);
    expect(learnt.length).toBeLessThan(rows.length);

    const shown = await quality();
    expect(shown).toMatchObject({
      decisions: learnt.length,
      rejected: learnt.filter((row) => row.rejected).length,
      left_out: rows.length - learnt.length,
      newest_at: rows.findLast(() => true)?.reviewed_at.toISOString(),
      counted: 60,
      needed: 60,
    });
    expect(shown.checks.map((check) => check.name)).toEqual([
      "rules",
      "learner",
      "picture_explicit",
      "picture_suggestive",
      "remote_moderation",
      "question",
    ]);
    for (const [name, threshold] of [
      ["rules", 0.7],
      ["learner", 0.62],
      ["picture_explicit", 0.55],
    ] as const) {
      const scored = learnt.flatMap((row) => {
        const own = row.checks.find((check) => check.name === name);
        return own === undefined || own.score === null ? [] : [{ ...row, own, score: own.score }];
      });
      const check = checkOf(shown, name);
      expect(check.threshold).toBeCloseTo(threshold, 6);
      expect(check.version).toBe(scored.at(-1)?.own.version);
      expectFigures(check.all_time, scored, threshold);
      expectFigures(check.last_500, scored.slice(-500), threshold);
      const agreed = (some: typeof scored) =>
        some.filter((row) => row.own.would_reject === row.rejected).length;
      const advised = scored.filter((row) => row.own.threshold !== null);
      const members = advised.filter((row) => !row.by_key);
      const seen = members.filter((row) => row.visible);
      const blind = members.filter((row) => !row.visible);
      const keys = advised.filter((row) => row.by_key);
      expectShare(check.agreement.shown, agreed(seen), seen.length);
      expectShare(check.agreement.blind, agreed(blind), blind.length);
      expectShare(check.agreement.api_keys, agreed(keys), keys.length);
      const curve = check.learning_curve;
      expect(curve.map((part) => part.n).reduce((sum, n) => sum + n, 0)).toBe(scored.length);
      for (const part of curve) {
        const pairs = scored.slice(part.from, part.to);
        expect(part.brier).toBeCloseTo(
          pairs.reduce((sum, row) => sum + (row.score - Number(row.rejected)) ** 2, 0) / pairs.length,
          10,
        );
      }
    }
    // All voting checks together.
    const advice = learnt.flatMap((row) => {
      const voters = row.checks.filter(
        (each) => each.votes && each.score !== null && each.threshold !== null,
      );
      return voters.length === 0
        ? []
        : [{ ...row, agreed: voters.some((each) => each.would_reject) === row.rejected }];
    });
    const blind = advice.filter((row) => !row.by_key && !row.visible);
    expectShare(shown.advice.blind, blind.filter((row) => row.agreed).length, blind.length);
  });

  test("tells how many decisions are missing, and leaves figures empty that are not defined", async () => {
    expect(checkOf(await quality(), "learner")).toMatchObject({ counted: 0, needed: 60, version: null });
    await log([
      ...Array.from({ length: 35 }, () => ({ rejected: false, checks: [line("rules", 0.1)] })),
      ...Array.from({ length: 11 }, () => ({ rejected: false, checks: [] })),
    ]);
    const shown = await quality();
    expect(shown).toMatchObject({ decisions: 46, counted: 30, needed: 60 });
    expect(checkOf(shown, "rules")).toMatchObject({
      counted: 30,
      needed: 60,
      all_time: {
        n: 35,
        rejected: 0,
        base_rate: 0,
        auc: null,
        brier_skill: null,
        precision: null,
        recall: null,
      },
      agreement: { shown: { hits: 35, n: 35 }, blind: null },
    });
    expect(checkOf(shown, "learner").all_time).toMatchObject({ n: 0, base_rate: null, ece: null });
  });

  test("follows changed, withdrawn and new decisions, and a changed threshold", async () => {
    await log([
      { rejected: true, checks: [line("rules", 0.8)] },
      { rejected: false, checks: [line("rules", 0.75)] },
    ]);
    const precision = async () => checkOf(await quality(), "rules").all_time.precision;
    expect(await precision()).toMatchObject({ hits: 1, n: 2 });
    const [first] = await db.check_example.findMany({ orderBy: { id: "asc" } });
    await db.check_example.updateMany({ where: { id: first?.id ?? 0n }, data: { rejected: false } });
    expect(await precision()).toMatchObject({ hits: 0, n: 2 });
    await db.check_setting.create({ data: { name: "rules", threshold: 0.78 } });
    expect(await precision()).toMatchObject({ hits: 0, n: 1 });
    await db.check_example.deleteMany({ where: { id: first?.id ?? 0n } });
    expect(await precision()).toBeNull();
    await log([{ rejected: true, minutes: 9, checks: [line("rules", 0.9)] }]);
    expect(await precision()).toMatchObject({ hits: 1, n: 1 });
  });

  test("judges a check without one threshold by its advice at the time", async () => {
    await log([
      { rejected: true, checks: [line("picture_explicit", 0.65, { threshold: 0.6 })] },
      { rejected: false, checks: [line("picture_explicit", 0.65, { threshold: 0.7 })] },
    ]);
    expect(checkOf(await quality(), "picture_explicit")).toMatchObject({
      threshold: null,
      all_time: { precision: { hits: 1, n: 1 }, recall: { hits: 1, n: 1 } },
    });
  });
});

test("the lists of a check have as many posts as its sentence says", async () => {
  const decide = async (rejected: boolean, learner: number, rules: number, reject_reason_id?: number) => {
    const { id } = await makePost({ approved: !rejected, reviewed_at: new Date() });
    // The review has written an example.
    await db.check_example.deleteMany({ where: { post_id: id } });
    nextPost = id;
    await log([{ rejected, reject_reason_id, checks: [line("learner", learner), line("rules", rules)] }]);
  };
  await db.check_setting.create({ data: { name: "learner", threshold: 0.6 } });
  for (let i = 0; i < 7; i++) await decide(true, 0.6 + i / 100, 0.1);
  for (let i = 0; i < 2; i++) await decide(false, 0.9, 0.8);
  for (let i = 0; i < 3; i++) await decide(true, 0.59, 0.9);
  for (let i = 0; i < 35; i++) await decide(false, 0.1, 0.1);
  // Neither check can see that a post is a duplicate.
  await decide(true, 0.1, 0.1, 5);
  const checks = await quality();
  const learner = checkOf(checks, "learner");
  expect(foundBy(learner)).toBe(
    "Warned of 9 posts, you rejected 7 of them. Missed 3 rejections among the 38 other posts.",
  );
  const lists = [...listsOf(learner), ...listsOf(checkOf(checks, "rules"))];
  expect(lists).toHaveLength(6);
  for (const { href, count } of lists) {
    const answer = await call<PostList>(getPosts, { path: `/api/v1${href}&limit=1`, key: reader });
    expect(answer.json.total, href).toBe(count);
  }
  const filter = (query: string) => call(getPosts, { path: `/api/v1/posts?${query}`, key: reader });
  for (const wrong of ["learner", "learner>0.7", "learner>=2", "learner>=0.7;", "Learner<0.1", ""])
    expect((await filter(`check_score=${encodeURIComponent(wrong)}`)).status, wrong).toBe(422);
  expect(
    (await filter(`check_score=${encodeURIComponent("learner<0.7")}&reviewed=false`)).json,
  ).toMatchObject({
    total: 0,
  });
});

describe("rejections for a reason", () => {
  const checks = [line("picture_explicit", 0.1), line("rules", 0.9)];
  const agreed = async (name: string) => {
    const { shown } = checkOf(await quality(), name).agreement;
    return shown && [shown.hits, shown.n];
  };

  test("count for the checks that can see it, as the admin says now", async () => {
    const [text, picture, both, duplicate] = [1, 2, 3, 5];
    const abouts = { [text]: "text", [picture]: "picture", [both]: "both", [duplicate]: "other" };
    for (const [id, about] of Object.entries(abouts))
      await db.reject_reason.update({ where: { id: Number(id) }, data: { about } });
    await log(
      [text, picture, both, duplicate, null].map((reject_reason_id) => ({
        rejected: true,
        reject_reason_id,
        checks,
      })),
    );
    await log([{ rejected: false, checks }]);
    expect(await agreed("picture_explicit")).toEqual([1, 4]);
    expect(await agreed("rules")).toEqual([3, 4]);

    await db.reject_reason.update({ where: { id: text }, data: { about: "both", updated_at: new Date() } });
    expect(await agreed("picture_explicit")).toEqual([1, 5]);
  });
});
