import { describe, expect, it } from "vitest";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import type { PictureScores, RawChecks, RawPicture, RawRemote } from "#lib/checks/results/raw-checks.ts";
import { settingsOf } from "#lib/checks/settings/check-settings.ts";
import { judge } from "./judge.ts";

const nothing: RawChecks = {
  rules: [],
  learner_score: null,
  learner_reasons: [],
  picture_state: "none",
  pictures: [],
  remote: null,
};
const raw = (change: Partial<RawChecks>): RawChecks => ({ ...nothing, ...change });
const hit = (...names: string[]) => names.map((name) => ({ name, reason: `Evidence of ${name}.` }));
const settings = (change: (draft: Draft) => void = () => undefined) => {
  const { checks, rules } = settingsOf({}, null);
  const draft = { checks, rules: new Set(rules) };
  change(draft);
  return draft;
};
interface Draft extends CheckSettings {
  rules: Set<string>;
}
const learnt = (threshold: number, votes = true) =>
  settings(({ checks: { learner } }) => Object.assign(learner, { threshold, votes }));
const noScores: PictureScores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 };
const picture = (medium: number, found: Partial<PictureScores>): RawPicture => ({
  medium,
  source: `https://media.example/${medium}`,
  state: "done",
  error: null,
  scores: { ...noScores, ...found },
  engine: "mobilenet_v2_mid@4.3.0",
});
const unread = (medium: number, error: string): RawPicture => ({
  ...picture(medium, {}),
  state: "failed",
  error,
  scores: null,
});
const pictures = (...all: RawPicture[]) => raw({ picture_state: "done", pictures: all });
const answer = (change: Partial<RawRemote>): RawRemote => ({
  labels: {},
  reason: null,
  model: "model-1",
  at: "2026-05-01T00:00:00Z",
  error: null,
  ...change,
});
const check = (verdict: ReturnType<typeof judge>, name: string) =>
  verdict.checks.find((line) => line.name === name);

describe("rules", () => {
  it("combine to 1 − Π(1 − weight) and advise rejection from 0.70 on", () => {
    const verdict = judge(raw({ rules: hit("some_mentions", "only_tags_and_links") }), settings());
    expect(verdict).toMatchObject({
      would_reject: true,
      score: 0.7,
      text_reason: "Evidence of some_mentions.",
    });
    expect(verdict.checks).toMatchObject([
      { name: "rules", kind: "text", score: 0.7, threshold: 0.7, votes: true },
      { name: "some_mentions", kind: "rule", score: 0.5, threshold: null, votes: false },
      { name: "only_tags_and_links", kind: "rule", score: 0.4, threshold: null, votes: false },
    ]);
    expect(judge(raw({ rules: hit("many_hashtags", "repeated_by_unknown") }), settings())).toMatchObject({
      would_reject: false,
      score: 0.6,
    });
  });

  it("use the operator's switches, threshold and vote", () => {
    const many = raw({ rules: hit("many_hashtags") });
    const without = settings((draft) => draft.rules.delete("many_hashtags"));
    expect(judge(many, settings())).toMatchObject({ would_reject: false, score: 0.6 });
    expect(judge(many, without)).toMatchObject({ would_reject: false, score: 0, reasons: [] });
    const low = settings(({ checks }) => (checks.rules.threshold = 0.6));
    expect(judge(many, low).would_reject).toBe(true);
    const silent = settings(({ checks }) => (checks.rules.votes = false));
    expect(judge(raw({ rules: hit("word_list") }), silent).would_reject).toBe(false);
    expect(judge(raw({ rules: hit("a_rule_of_another_version") }), settings()).checks).toHaveLength(1);
  });
});

describe("the learner", () => {
  const known = raw({ learner_score: 0.9, rules: hit("only_tags_and_links") });

  it("decides by its threshold and gives the score when it votes", () => {
    expect(judge(known, learnt(0.9))).toMatchObject({ would_reject: true, score: 0.9 });
    expect(judge(known, learnt(0.95))).toMatchObject({ would_reject: false, score: 0.9 });
    expect(judge(known, learnt(0.5, false))).toMatchObject({ would_reject: false, score: 0.4 });
    expect(check(judge(known, learnt(0.5)), "learner")).toMatchObject({ version: "1", votes: true });
  });

  it("does not hide the score of rules that advise rejection", () => {
    const listed = raw({ learner_score: 0.1, rules: hit("word_list") });
    expect(judge(listed, learnt(0.9))).toMatchObject({ would_reject: true, score: 1 });
  });
});

describe("pictures", () => {
  it.each([
    ["below 0.70", picture(0, { porn: 0.69, neutral: 0.31 }), "uncertain", 0.69, false],
    ["from 0.70 on", picture(0, { porn: 0.5, hentai: 0.2 }), "explicit", 0.7, true],
    ["drawn", picture(0, { porn: 0.2, hentai: 0.6 }), "explicit_drawing", 0.8, true],
    ["suggestive", picture(0, { sexy: 0.7, neutral: 0.3 }), "suggestive", 0.7, false],
    ["no class above 0.5", picture(0, { neutral: 0.45, drawing: 0.4, sexy: 0.15 }), "uncertain", 0.45, false],
    ["neutral", picture(0, { neutral: 0.8, drawing: 0.2 }), "neutral", 0.8, false],
  ])("%s", (_name, one, category, confidence, would_reject) => {
    expect(judge(pictures(one), settings())).toMatchObject({
      vision_category: category,
      vision_confidence: confidence,
      would_reject,
    });
  });

  it("the worst one decides and is named", () => {
    const verdict = judge(
      pictures(picture(0, { neutral: 1 }), picture(1, { porn: 0.9 }), picture(2, { sexy: 1 })),
      settings(),
    );
    expect(verdict).toMatchObject({ vision_category: "explicit", would_reject: true, score: 0.9 });
    expect(verdict.reasons).toEqual([
      "Picture 2 looks explicit: 90 %, the threshold is 70 %.",
      "Picture 3 looks suggestive: 100 %.",
    ]);
  });

  it("without a vote change neither advice nor score", () => {
    const shadow = settings(({ checks }) => (checks.picture_explicit.votes = false));
    expect(judge(pictures(picture(0, { porn: 1 })), shadow)).toMatchObject({
      would_reject: false,
      score: 0,
      vision_category: "explicit",
    });
  });

  it("that cannot be read do not vote", () => {
    const verdict = judge(
      { ...pictures(unread(0, "It is an HTML page.")), picture_state: "unavailable" },
      settings(),
    );
    expect(verdict).toMatchObject({
      would_reject: false,
      vision_category: "unavailable",
      vision_confidence: null,
      reasons: ["Could not be checked: the picture."],
    });
    expect(check(verdict, "picture_explicit")).toMatchObject({
      score: null,
      reason: "The picture could not be read: It is an HTML page.",
    });
  });

  it("that wait have no category, and a post without media has none", () => {
    const waiting = judge(raw({ picture_state: "waiting", pictures: [unread(0, "timeout")] }), settings());
    expect(waiting).toMatchObject({ vision_category: null, reasons: [] });
    expect(waiting.checks).toHaveLength(1);
    expect(judge(nothing, settings()).vision_category).toBe("none");
  });
});

describe("the chat model", () => {
  const answered = (change: Partial<RawRemote>) => ({
    ...pictures(picture(0, { neutral: 1 })),
    remote: answer(change),
  });
  const votes = settings(({ checks }) => (checks.chat_model.votes = true));

  it("gives a reason and no vote by default", () => {
    const verdict = judge(answered({ labels: { hateful: 0.9 } }), settings());
    expect(verdict).toMatchObject({
      would_reject: false,
      reasons: ["Chat model: hateful, 90 %."],
      vision_category: "neutral",
    });
    expect(check(verdict, "chat_model")).toMatchObject({ score: 0.9, version: "model-1", votes: false });
  });

  it.each(["explicit", "graphic", "hateful", "other_unsafe"])("that votes gives the category %s", (label) => {
    expect(
      judge(answered({ labels: { [label]: 0.7, other: 0.1 }, reason: "A drawing." }), votes),
    ).toMatchObject({
      would_reject: true,
      score: 0.7,
      vision_category: label,
      reasons: ["Chat model: A drawing."],
    });
  });

  it("that failed does not vote and is named", () => {
    expect(judge(answered({ error: "Time-out." }), votes)).toMatchObject({
      would_reject: false,
      reasons: ["Could not be checked: the chat model."],
    });
  });
});
