import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import { GET as getQuality } from "#app/api/v1/checks/quality/route.ts";
import { GET as getScore } from "#app/api/v1/posts/[id]/score/route.ts";
import { GET as getSettings, PUT as putSettings } from "#app/api/v1/checks/settings/route.ts";
import { PUT as putRules } from "#app/api/v1/classify/rules/route.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import type { ChecksSettings } from "#lib/checks/settings/schema.ts";
import type { Score } from "#lib/checks/score/schema.ts";
import type { ChecksQuality } from "#lib/checks/quality/schema.ts";
import { isOverruleCheckDue, stopOverruled } from "#lib/checks/quality/stop-overruled.ts";
import { db } from "#lib/db.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { makeCaller } from "#tests/integration/history/action-rows/action-row.ts";

let key: string;
let nextPost = 1;

beforeAll(async () => {
  key = await makeKey();
});
beforeEach(async () => {
  await db.check_example.deleteMany();
  await db.check_setting.deleteMany();
  await db.classify_rule.deleteMany();
});

/** Decisions about posts that a check flagged, `rejected` of them in its favour, the newest now. */
async function hits(
  name: string,
  rejected: number,
  approved: number,
  more: { votes?: boolean; flagged?: boolean; at?: Date; learn?: boolean } = {},
): Promise<void> {
  const { votes = true, flagged = true, at = new Date(), learn = true } = more;
  await db.check_example.createMany({
    data: Array.from({ length: rejected + approved }, (_, i) => ({
      post_id: nextPost++,
      author_hmac: randomBytes(8),
      rejected: i < rejected,
      reviewed_at: at,
      learn,
      checks: [{ name, version: "1", score: 0.8, threshold: 0.7, would_reject: flagged, votes }],
    })),
  });
}

const votesOf = async (name: "rules" | "remote_moderation") => (await readCheckSettings()).checks[name].votes;
const put = (checks: unknown[]) =>
  call<ChecksSettings>(putSettings, {
    method: "PUT",
    path: "/api/v1/checks/settings",
    key,
    body: { checks },
  });
const stateOf = async (name: string) =>
  (await call<ChecksSettings>(getSettings, { path: "/api/v1/checks/settings", key })).json.checks.find(
    (check) => check.name === name,
  );

describe("stopOverruled", () => {
  test("stops a check whose hits are approved more often than not, and says so", async () => {
    await hits("rules", 10, 20);
    expect(await stopOverruled()).toEqual([]);
    await hits("rules", 0, 1);
    expect(await stopOverruled()).toEqual(["rules"]);
    const why = "Reviewers approved 21 of the last 31 posts that it advised to reject.";
    expect(await votesOf("rules")).toBe(false);
    expect(await stateOf("rules")).toMatchObject({ votes: true, stopped_why: why });
    const { json } = await call<ChecksQuality>(getQuality, { path: "/api/v1/checks/quality", key });
    expect(json.checks[0]).toMatchObject({ name: "rules", votes: false, stopped_why: why });
    const { id } = await makePost({ hashtags: Array.from({ length: 21 }, (_, i) => `tag${i}`) });
    await classifyPosts([id]);
    const score = await call<Score>(getScore, {
      path: `/api/v1/posts/${id}/score`,
      params: { id: String(id) },
      key,
    });
    expect(score.json.checks[0]).toMatchObject({ name: "rules", votes: false, stopped_why: why });
    expect(
      await db.audit_event.findMany({ where: { action: "check.stop" }, orderBy: { id: "desc" }, take: 1 }),
    ).toMatchObject([{ actor: "Sluice", source: "service", subject: "rules" }]);
    expect(await stopOverruled()).toEqual([]);
  });

  test.each([
    ["fewer than 30 hits", () => hits("rules", 0, 29)],
    ["an interval that reaches a half", () => hits("rules", 20, 30)],
    ["posts that it did not flag", () => hits("rules", 0, 40, { flagged: false })],
    ["hits without a vote", () => hits("remote_moderation", 0, 40, { votes: false })],
    ["decisions of keys that are not learnt from", () => hits("rules", 0, 40, { learn: false })],
  ])("goes on after %s", async (_name, prepare) => {
    await prepare();
    expect(await stopOverruled()).toEqual([]);
  });

  test("looks at the newest 100 hits, so a check that has become bad stops", async () => {
    await hits("rules", 400, 0, { at: new Date(Date.now() - 3_600_000) });
    await hits("rules", 0, 58);
    expect(await stopOverruled()).toEqual([]);
    await hits("rules", 0, 2);
    expect(await stopOverruled()).toEqual(["rules"]);
  });

  test("counts anew after a check was turned on again, its threshold changed, or a weight changed", async () => {
    const earlier = new Date(Date.now() - 60_000);
    await hits("rules", 0, 40, { at: earlier });
    expect(await stopOverruled()).toEqual(["rules"]);
    expect((await put([{ name: "rules", resume: true }])).status).toBe(200);
    expect(await stateOf("rules")).toMatchObject({ stopped_at: null, stopped_why: null, votes: true });
    expect(await votesOf("rules")).toBe(true);
    expect(await stopOverruled()).toEqual([]);
    await hits("rules", 0, 29, { at: new Date(Date.now() + 1000) });
    expect(await stopOverruled()).toEqual([]);
    await hits("rules", 0, 1, { at: new Date(Date.now() + 1000) });
    expect(await stopOverruled()).toEqual(["rules"]);

    await db.check_setting.deleteMany();
    await db.check_example.deleteMany();
    await hits("rules", 0, 40, { at: earlier });
    await put([{ name: "rules", threshold: 0.9 }]);
    expect(await stopOverruled()).toEqual([]);
    await db.check_setting.deleteMany();
    await db.classify_rule.create({ data: { name: "capitals", weight: 0.1, enabled: true } });
    expect(await stopOverruled()).toEqual([]);
    await db.classify_rule.deleteMany();
    expect(await stopOverruled()).toEqual(["rules"]);
  });

  test.each([
    ["threshold", putSettings, "checks/settings", { checks: [{ name: "rules", threshold: 0.3 }] }],
    ["weight", putRules, "classify/rules", { rules: [{ name: "capitals", weight: 0.9 }] }],
  ] as const)("counts anew after a changed %s was undone", async (_name, handler, path, body) => {
    const caller = await makeCaller();
    expect((await caller.post(handler, path, body, {}, "PUT")).status).toBe(200);
    await hits("rules", 0, 40);
    const { id } = await db.change.findFirstOrThrow({ where: { member_id: caller.member.id } });
    const undone = await caller.post(postUndo, `actions/${id}/undo`, undefined, { id });
    expect(undone.json).toMatchObject({ restored: 1 });
    expect(await stopOverruled()).toEqual([]);
  });

  test("stops a question, which only a stream lets vote, and resumes it", async () => {
    await hits("question", 0, 40, { at: new Date(Date.now() - 60_000) });
    expect(await stopOverruled()).toEqual(["question"]);
    expect((await put([{ name: "question", resume: true }])).status).toBe(200);
    expect(await stateOf("question")).toMatchObject({ stopped_at: null, votes: false });
  });

  test("stops once when two processes look at the same time", async () => {
    await hits("rules", 0, 40);
    const before = await db.audit_event.count({ where: { action: "check.stop" } });
    const stopped = await Promise.all([stopOverruled(), stopOverruled(), stopOverruled()]);
    expect(stopped.flat()).toEqual(["rules"]);
    expect(await db.audit_event.count({ where: { action: "check.stop" } })).toBe(before + 1);
  });

  test("is due only after new decisions", async () => {
    await hits("rules", 1, 0);
    expect(await isOverruleCheckDue()).toBe(true);
    await stopOverruled();
    expect(await isOverruleCheckDue()).toBe(false);
    await hits("rules", 1, 0);
    expect(await isOverruleCheckDue()).toBe(true);
  });
});
