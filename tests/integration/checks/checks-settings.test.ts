import { beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { checkChanges } from "#lib/checks/settings/check-settings.ts";
import { learner } from "#lib/checks/learner/learn.ts";
import { classifyDue } from "#lib/checks/score/classify-posts.ts";
import { getChecksSettings } from "#lib/checks/score/show-checks.ts";
import { changeChecksSettings } from "#lib/checks/settings/check-settings.ts";
import { makePosts } from "#tests/setup/factories.ts";

beforeEach(async () => {
  await db.setting.deleteMany({ where: { name: { in: ["checks", "learner"] } } });
});

const get = getChecksSettings;
const send = async (body: Parameters<typeof changeChecksSettings>[1]) => {
  await changeChecksSettings(servicePrincipal, body);
  return get();
};
type Changes = Parameters<typeof send>[0]["checks"] & object;
const put = (checks: Changes) => send({ checks });
const stateOf = async (name: string) => (await get()).checks.find((check) => check.name === name);
const classify = () => classifyDue({ limit: 1_000, deadline: new Date(Date.now() + 60_000) });

describe("the settings of the checks", () => {
  test("has the defaults of every check", async () => {
    const { checks } = await get();
    expect(checks.map(({ name, votes, threshold }) => [name, votes, threshold])).toEqual([
      ["rules", true, 0.7],
      ["learner", true, null],
      ["picture_explicit", true, 0.7],
      ["picture_suggestive", false, 0.7],
      ["chat_model", false, 0.7],
    ]);
    const missing = new Map(checks.map((check) => [check.name, check.missing]));
    expect(missing.get("rules")).toBeNull();
    expect(missing.get("chat_model")).toMatch(/AI_BASE_URL/);
    expect(checks.every((check) => check.enabled)).toBe(true);
  });

  test("changes only the named settings, writes the audit log, and returns to defaults", async () => {
    await put([
      { name: "rules", threshold: 0.8 },
      { name: "picture_suggestive", votes: true },
    ]);
    expect(await stateOf("rules")).toMatchObject({ threshold: 0.8, default_threshold: 0.7, votes: true });
    expect(await stateOf("picture_suggestive")).toMatchObject({ votes: true });
    await put([{ name: "rules", enabled: false }]);
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
    const stored = await checkChanges.read();
    await put([{ name: "rules", threshold: 0.8, enabled: false }]);
    expect(await db.audit_event.count()).toBe(lines);
    expect(await checkChanges.read()).toEqual(stored);
    await put([{ name: "rules", threshold: null }]);
    expect(await stateOf("rules")).toMatchObject({ threshold: 0.7 });
  });

  test("shows the threshold that the learner has found, and one of an admin instead", async () => {
    await learner.set({ threshold: 0.62 });
    expect(await stateOf("learner")).toMatchObject({ threshold: 0.62, default_threshold: 0.62 });
    await put([{ name: "learner", threshold: 0.9 }]);
    expect(await stateOf("learner")).toMatchObject({ threshold: 0.9, default_threshold: 0.62 });
  });

  test("lists eight rules and switches them, with a line in the audit log", async () => {
    const { rules } = await get();
    expect(rules).toHaveLength(8);
    expect(rules[0]).toEqual({
      name: "many_mentions",
      describes: "The post mentions ten accounts or more.",
      enabled: true,
    });
    const off = (await send({ rules: [{ name: "word_list", enabled: false }] })).rules;
    expect(off.filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(["word_list"]);
    expect(await db.audit_event.findMany({ where: { subject: "word_list" } })).toMatchObject([
      { action: "classify_rule.update", before: { enabled: true }, after: { enabled: false } },
    ]);
  });

  test("says what each check warned of, and how many of these posts were rejected", async () => {
    const decided: [boolean, string[]][] = [
      [true, ["rules", "learner"]],
      [true, ["rules"]],
      [false, ["rules"]],
      [false, []],
      [false, ["rules"]],
    ];
    const ids = await makePosts(decided.length, (i) => ({
      approved: !decided[i]![0],
      reviewed_at: new Date(),
    }));
    await db.learnt.createMany({
      data: decided.map(([rejected, warned], i) => ({
        post_id: ids[i]!,
        author: 1,
        rejected,
        reviewed_at: new Date(),
        warned,
        features: [1],
      })),
    });
    await db.post.delete({ where: { id: ids[4]! } });
    const settings = await get();
    expect(settings.decisions).toBe(4);
    expect(settings.checks.map(({ name, warned, rejected }) => [name, warned, rejected])).toEqual([
      ["rules", 3, 2],
      ["learner", 1, 1],
      ["picture_explicit", 0, 0],
      ["picture_suggestive", 0, 0],
      ["chat_model", 0, 0],
    ]);
  });

  test("says that posts are judged again until the job is done", async () => {
    await makePosts(1);
    await classify();
    expect((await put([{ name: "rules", threshold: 0.55 }])).judging).toBe(true);
    await classify();
    expect((await get()).judging).toBe(false);
  });
});
