import { beforeAll, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { checkChanges, unchanged } from "#lib/checks/settings/check-settings.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import { defaultSettings } from "#lib/checks/settings/check-settings.ts";
import { hashVerdict } from "#lib/checks/verdict/judge-posts.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { rejudgeAll } from "#lib/checks/verdict/rejudge.ts";
import { fillPosts } from "#tests/integration/database/large-table.ts";

/** A fifth of a million: the work is linear, and a million rows take minutes to fill. */
const POSTS = 200_000;
/** One after another, so that each thousandth post has the same results. */
const KINDS = 1_000;

/** One in eleven mentions accounts, one in twenty many hashtags, one in three a picture; all were predicted. */
function rawOf(kind: number): RawChecks {
  const rules = [];
  if (kind % 20 === 0) rules.push({ name: "many_hashtags", reason: "The post carries 22 hashtags." });
  else if (kind % 11 === 0) rules.push({ name: "some_mentions", reason: "The post mentions 6 accounts." });
  const porn = (kind % 100) / 100;
  const scores = { drawing: 0, hentai: 0, neutral: 1 - porn, porn, sexy: 0 };
  const picture = {
    medium: 0,
    source: "s",
    state: "done",
    error: null,
    scores,
    engine: "m@1",
  } as const;
  return {
    rules,
    learner_version: 1,
    learner_score: kind / KINDS,
    learner_reasons: [
      { feature: "author:", weight: 0.4, reviewed: 9, rejected: 7 },
      { feature: "word:otter", weight: -0.2 },
      { feature: "tag:otters", weight: 0.1, reviewed: 40, rejected: 2 },
    ],
    picture_state: kind % 3 === 0 ? "done" : "none",
    pictures: kind % 3 === 0 ? [picture] : [],
    remote: null,
  };
}

beforeAll(async () => {
  await fillPosts(POSTS, true);
  const settings = { ...defaultSettings() };
  settings.checks.learner.votes = false;
  const kinds = Array.from({ length: KINDS }, (_, kind) => {
    const raw = rawOf(kind);
    return { kind, ...raw, hash: hashVerdict(judge(raw, settings)).toString() };
  });
  await db.$executeRaw`ALTER TABLE post_check DISABLE TRIGGER post_check_complete_example`;
  await db.$executeRaw`
    INSERT INTO post_check (post_id, rules, features, learner_version, learner_score, learner_reasons, picture_state,
                            pictures, verdict_hash)
    SELECT p.id, k.rules, array_fill(p.id, ARRAY[65]), 1, k.learner_score, k.learner_reasons,
           k.picture_state, k.pictures, k.hash
      FROM post p JOIN jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb) AS k (
             kind int, rules jsonb, learner_score real, learner_reasons jsonb, picture_state text, pictures jsonb,
             hash bigint) ON k.kind = p.id % ${KINDS}::int`;
  await db.$executeRaw`ALTER TABLE post_check ENABLE TRIGGER post_check_complete_example`;
  await db.$executeRaw`VACUUM (ANALYZE) post_check`;
  await rejudgeAll({ deadline: new Date(Date.now() + 240_000) });
}, 480_000);

test("a changed threshold takes less than 60 s of processor time for a million posts", async () => {
  const rejected = () => db.post.count({ where: { ai_would_reject: true } });
  const before = await rejected();
  for (const [threshold, moves] of [
    // No score lies between, so nothing is written.
    [0.69, 0],
    [0.6, POSTS / 20],
  ] as const) {
    await checkChanges.set({ rules: { ...unchanged, threshold } });
    const start = process.cpuUsage();
    const { changed, more } = await rejudgeAll({ deadline: new Date(Date.now() + 180_000) });
    const { user, system } = process.cpuUsage(start);
    expect({ changed, more }).toEqual({ changed: moves, more: false });
    // Of this process, which works in step with the database.
    expect((user + system) / 1e6).toBeLessThan((60 * POSTS) / 1_000_000);
  }
  expect(await rejected()).toBeGreaterThan(before);
}, 400_000);
