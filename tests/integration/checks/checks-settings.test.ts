import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { POST as postDryRun } from "#app/api/v1/checks/dry-run/route.ts";
import { GET as getSettings, PUT as putSettings } from "#app/api/v1/checks/settings/route.ts";
import { PUT as putRules } from "#app/api/v1/classify/rules/route.ts";
import type { ChecksSettings, DryRun } from "#lib/checks/settings/schema.ts";
import { judgePosts } from "#lib/checks/verdict/judge-posts.ts";
import { rejudgeAll } from "#lib/checks/verdict/rejudge.ts";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

let key: string;
let reader: string;

beforeAll(async () => {
  key = await makeKey();
  reader = await makeKey({ role: "reviewer", scopes: ["read", "review"] });
});
beforeEach(async () => {
  await db.check_setting.deleteMany();
  await db.classify_rule.deleteMany();
  await db.check_model.deleteMany();
});

const settingsPath = "/api/v1/checks/settings";
const put = (checks: unknown, as = key) =>
  call<ChecksSettings>(putSettings, { method: "PUT", path: settingsPath, key: as, body: { checks } });
const get = async () => (await call<ChecksSettings>(getSettings, { path: settingsPath, key: reader })).json;
const stateOf = async (name: string) => (await get()).checks.find((check) => check.name === name);
const dryRun = (body: unknown, as = key) =>
  call<DryRun>(postDryRun, { method: "POST", path: "/api/v1/checks/dry-run", key: as, body });
const rejudge = () => rejudgeAll({ deadline: new Date(Date.now() + 60_000) });

describe("/checks/settings", () => {
  test("has the defaults of every check", async () => {
    const { checks } = await get();
    expect(checks.map(({ name, votes, threshold }) => [name, votes, threshold])).toEqual([
      ["rules", true, 0.7],
      ["learner", true, null],
      ["picture_explicit", true, 0.7],
      ["picture_suggestive", false, 0.7],
      ["remote_moderation", false, 0.7],
      ["question", false, 0.5],
    ]);
    const missing = new Map(checks.map((check) => [check.name, check.missing]));
    expect(missing.get("rules")).toBeNull();
    expect(missing.get("question")).toMatch(/AI_PROVIDER/);
    expect(checks.every((check) => check.enabled)).toBe(true);
  });

  test("says why pictures cannot be checked, although the other checks can run", async () => {
    const missing = async () => (await stateOf("picture_suggestive"))?.missing;
    const settings = env();
    const { AI_VISION } = settings;
    try {
      settings.AI_VISION = "off";
      expect(await missing()).toMatch(/^AI_VISION is off/);
      expect(await stateOf("picture_explicit")).toMatchObject({ missing: await missing() });
      expect(await stateOf("learner")).toMatchObject({ missing: null });
      settings.AI_VISION = "local";
      const cwd = vi.spyOn(process, "cwd").mockReturnValue("/");
      expect(await missing()).toMatch(/^The package @tensorflow\/tfjs-core is not installed/);
      cwd.mockRestore();
    } finally {
      settings.AI_VISION = AI_VISION;
      vi.restoreAllMocks();
    }
  });

  test("changes only the named settings, writes the audit log, and returns to defaults", async () => {
    expect(
      (
        await put([
          { name: "rules", threshold: 0.8 },
          { name: "picture_suggestive", votes: true },
        ])
      ).status,
    ).toBe(200);
    expect(await stateOf("rules")).toMatchObject({ threshold: 0.8, default_threshold: 0.7, votes: true });
    expect(await stateOf("picture_suggestive")).toMatchObject({ votes: true, default_votes: false });
    expect((await put([{ name: "rules", enabled: false }])).status).toBe(200);
    expect(await stateOf("rules")).toMatchObject({ threshold: 0.8, enabled: false });
    expect(
      await db.audit_event.findMany({
        where: { action: "check.update", subject: "rules" },
        orderBy: { id: "asc" },
      }),
    ).toMatchObject([
      { before: { threshold: null }, after: { threshold: 0.8 } },
      { before: { enabled: true }, after: { enabled: false } },
    ]);
    const lines = await db.audit_event.count();
    const stored = await db.check_setting.findMany();
    expect((await put([{ name: "rules", threshold: 0.8, enabled: false }])).status).toBe(200);
    expect(await db.audit_event.count()).toBe(lines);
    expect(await db.check_setting.findMany()).toEqual(stored);
    await put([{ name: "rules", threshold: null }]);
    expect(await stateOf("rules")).toMatchObject({ threshold: 0.7 });
  });

  test("shows the threshold that the learner has found, and one of an admin instead", async () => {
    await db.check_model.create({
      data: {
        version: 1,
        examples: 100,
        state: Buffer.alloc(1),
        calibration: {},
        threshold: 0.62,
        metrics: { ready: true },
      },
    });
    expect(await stateOf("learner")).toMatchObject({ threshold: 0.62, default_threshold: 0.62 });
    await put([{ name: "learner", threshold: 0.9 }]);
    expect(await stateOf("learner")).toMatchObject({ threshold: 0.9, default_threshold: 0.62 });
  });

  test.each([
    [
      "an unknown check",
      [{ name: "many_links", enabled: false }],
      'checks.0.name: "many_links" is not a check',
    ],
    ["a threshold of 0", [{ name: "rules", threshold: 0 }], "checks.0.threshold"],
    ["a threshold above 1", [{ name: "rules", threshold: 1.1 }], "checks.0.threshold"],
    ["a text", [{ name: "rules", threshold: "0.5" }], "checks.0.threshold"],
    ["the vote of the question", [{ name: "question", votes: true }], "checks.0.votes: each stream decides"],
    ["no check", [], "checks"],
  ])("refuses %s as a whole", async (_name, checks, detail) => {
    const before = await get();
    const answer = await put(
      [{ name: "learner", votes: false }, ...checks].slice(checks.length === 0 ? 1 : 0),
    );
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      detail: expect.stringContaining(detail.replace("checks.0", "checks.1")) as string,
    });
    expect(await get()).toEqual(before);
  });

  test("says that posts are judged again until the job is done", async () => {
    await rejudge();
    expect((await get()).judging).toBe(false);
    expect((await put([{ name: "rules", threshold: 0.55 }])).json.judging).toBe(true);
    await rejudge();
    expect((await get()).judging).toBe(false);
  });
});

describe("POST /checks/dry-run", () => {
  const hit = (name: string) => ({ name, reason: `Because of ${name}.` });
  const looked = (porn: number) => ({
    medium: 0,
    source: "a",
    state: "done",
    error: null,
    scores: { drawing: 0, hentai: 0, neutral: 1 - porn, porn, sexy: 0 },
    engine: "mobilenet_v2_mid@4.3.0",
  });

  /** A checked post with stored results. */
  async function checked(
    rules: string[],
    more: { approved?: boolean; days?: number; picture?: object; learner?: number } = {},
  ): Promise<number> {
    const { approved = null, days = 1, picture, learner } = more;
    const { id } = await makePost({
      approved,
      reviewed_at: approved === null ? null : new Date(),
      approved_at: approved ? new Date() : null,
      classified_at: new Date(),
      fetched_at: new Date(Date.now() - days * 86_400_000),
    });
    await db.post_check.create({
      data: {
        post_id: id,
        rules: rules.map(hit),
        ...(picture === undefined ? {} : { picture_state: "done", pictures: [picture] }),
        ...(learner === undefined ? {} : { learner_version: 1, learner_score: learner }),
      },
    });
    return id;
  }

  async function flaggedNow() {
    await rejudge();
    const rows = await db.post.findMany({
      where: { ai_would_reject: true, fetched_at: { gt: new Date(Date.now() - 30 * 86_400_000) } },
      select: { approved: true },
    });
    const of = (approved: boolean | null) => rows.filter((row) => row.approved === approved).length;
    return { posts: rows.length, approved: of(true), rejected: of(false), unreviewed: of(null) };
  }

  beforeAll(async () => {
    await db.post.deleteMany();
    await checked(["many_hashtags", "several_links"], { approved: false }); // 0.72
    await checked(["many_hashtags", "several_links"]);
    await checked(["many_hashtags"], { approved: true }); // 0.6
    await checked(["many_hashtags"], { approved: true });
    await checked(["many_mentions"], { approved: true }); // 0.75
    await checked(["capitals"]);
    await checked([], { picture: looked(0.65) });
    await checked([], { picture: looked(0.9) });
    await checked([], { learner: 0.8, approved: false });
    await checked([]);
    // Not of the last month, and not checked.
    await checked(["many_mentions"], { days: 40 });
    await makePost();
    await judgePosts((await db.post.findMany({ select: { id: true } })).map((post) => post.id));
  });

  test("counts the posts and how they were decided", async () => {
    const { json } = await dryRun({ name: "rules", threshold: 0.55 });
    expect(json).toEqual({
      posts: 10,
      complete: true,
      before: { posts: 4, approved: 1, rejected: 1, unreviewed: 2 },
      after: { posts: 6, approved: 3, rejected: 1, unreviewed: 2 },
      added: { posts: 2, approved: 2, rejected: 0, unreviewed: 0 },
      removed: { posts: 0, approved: 0, rejected: 0, unreviewed: 0 },
    });
  });

  test.each([
    ["a lower threshold", { name: "rules", threshold: 0.55 }],
    ["a higher threshold", { name: "rules", threshold: 0.74 }],
    ["no vote", { name: "rules", votes: false }],
    ["a check that is off", { name: "rules", enabled: false }],
    ["one threshold for pictures", { name: "picture_explicit", threshold: 0.65 }],
    ["pictures that do not vote", { name: "picture_explicit", votes: false }],
    ["a threshold of the learner", { name: "learner", threshold: 0.75 }],
    ["a weight", { name: "many_hashtags", weight: 0.71 }],
    ["a rule that is off", { name: "many_mentions", enabled: false }],
  ])("equals the effect of %s", async (_name, change) => {
    await db.check_model.create({
      data: {
        version: 1,
        examples: 100,
        state: Buffer.alloc(1),
        calibration: {},
        threshold: 0.9,
        metrics: { ready: true },
      },
    });
    const before = await flaggedNow();
    const { json } = await dryRun(change);
    expect(json.before).toEqual(before);
    expect(json.after.posts - json.before.posts).toBe(json.added.posts - json.removed.posts);
    expect(json.added.posts + json.removed.posts).toBeGreaterThan(0);
    expect(await flaggedNow()).toEqual(before);
    const isRule = change.name.startsWith("many");
    const saved = isRule
      ? await call(putRules, {
          method: "PUT",
          path: "/api/v1/classify/rules",
          key,
          body: { rules: [change] },
        })
      : await put([change]);
    expect(saved.status).toBe(200);
    expect(await flaggedNow()).toEqual(json.after);
  });

  test.each([
    ["an unknown name", { name: "nothing", enabled: false }, "neither a check nor a text rule"],
    ["a weight of a check", { name: "rules", weight: 0.5 }, "weight: only a text rule"],
    ["a threshold of a rule", { name: "many_mentions", threshold: 0.5 }, "a text rule has only"],
    ["the vote of the question", { name: "question", votes: true }, "each stream decides"],
    ["a weight above 1", { name: "many_mentions", weight: 2 }, "weight"],
    ["no change", { name: "rules" }, "must name at least one"],
  ])("refuses %s", async (_name, body, detail) => {
    const answer = await dryRun(body);
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ detail: expect.stringContaining(detail) as string });
  });
});
