import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRules, rules, VOTE_AT, type PostFacts } from "./rules.ts";

const quiet: PostFacts = {
  text: { links: [], mentions: 0, cased: 30, capitals: 2, onlyTagsAndLinks: false },
  hashtags: 2,
  has_media: false,
  account_age_days: 900,
  repeats: { byAuthor: 1, authors: 1 },
  listed_words: [],
  strong_words: 0,
};
type Change = Partial<Omit<PostFacts, "text">> & { text?: Partial<NonNullable<PostFacts["text"]>> };
const facts = ({ text, ...rest }: Change): PostFacts => ({
  ...quiet,
  ...rest,
  text: { ...quiet.text!, ...text },
});
const hits = (change: Change) =>
  applyRules(facts(change))
    .checks.filter((check) => check.kind === "rule")
    .map((check) => [check.name, check.score]);
const links = (n: number) => Array.from({ length: n }, (_, i) => `https://a.example/${i}`);

const cases: [string, Change, [string, number][]][] = [
  ["an ordinary post", {}, []],
  ["5 mentions", { text: { mentions: 5 } }, []],
  ["6 mentions", { text: { mentions: 6 } }, [["some_mentions", 0.5]]],
  ["9 mentions", { text: { mentions: 9 } }, [["some_mentions", 0.5]]],
  ["10 mentions", { text: { mentions: 10 } }, [["many_mentions", 0.75]]],
  ["11 hashtags", { hashtags: 11 }, []],
  ["12 hashtags", { hashtags: 12 }, [["some_hashtags", 0.3]]],
  ["19 hashtags", { hashtags: 19 }, [["some_hashtags", 0.3]]],
  ["20 hashtags", { hashtags: 20 }, [["many_hashtags", 0.6]]],
  ["2 links", { text: { links: links(2) } }, []],
  ["3 links", { text: { links: links(3) } }, [["several_links", 0.3]]],
  ["a shortener", { text: { links: ["https://www.bit.ly/x"] } }, [["shortened_link", 0.2]]],
  ["a host that only ends like a shortener", { text: { links: ["https://rabbit.ly/x"] } }, []],
  ["no address at all", { text: { links: ["https://"] } }, []],
  [
    "a new account with a link",
    { account_age_days: 2.9, text: { links: links(1) } },
    [["new_account_link", 0.6]],
  ],
  ["a new account without", { account_age_days: 0.1 }, []],
  ["an account of three days", { account_age_days: 3, text: { links: links(1) } }, []],
  ["an account of unknown age", { account_age_days: undefined, text: { links: links(1) } }, []],
  ["the same text twice", { repeats: { byAuthor: 2, authors: 2 } }, []],
  ["three times by the author", { repeats: { byAuthor: 3, authors: 1 } }, [["repeated_by_author", 0.7]]],
  ["by three authors", { repeats: { byAuthor: 1, authors: 3 } }, [["repeated_by_many", 0.8]]],
  ["20 letters in capitals", { text: { cased: 20, capitals: 20 } }, []],
  ["70 % capitals", { text: { cased: 30, capitals: 21 } }, []],
  ["more capitals", { text: { cased: 30, capitals: 22 } }, [["capitals", 0.2]]],
  ["only tags", { text: { onlyTagsAndLinks: true } }, [["only_tags_and_links", 0.4]]],
  ["only tags below a picture", { has_media: true, text: { onlyTagsAndLinks: true } }, []],
  ["a listed word", { listed_words: ["giveaway"] }, [["word_list", 1]]],
  ["a strong word", { strong_words: 1 }, [["strong_language", 0.1]]],
];

describe("each rule at its limits", () => {
  it.each(cases)("%s", (_name, change, expected) => {
    expect(hits(change)).toEqual(expected);
  });

  it("every rule has a case", () => {
    const met = new Set(cases.flatMap(([, , expected]) => expected.map(([name]) => name)));
    expect(rules.map((rule) => rule.name).filter((name) => !met.has(name))).toEqual([]);
  });
});

describe("applyRules", () => {
  it("combines weights to 1 − Π(1 − w) and votes from 0.70 on", () => {
    const verdict = applyRules(facts({ text: { mentions: 6, onlyTagsAndLinks: true } }));
    expect(verdict).toMatchObject({ score: 0.7, would_reject: true });
    expect(verdict.checks[0]).toEqual({
      name: "rules",
      kind: "text",
      score: 0.7,
      threshold: VOTE_AT,
      votes: true,
      reason: "The post mentions 6 accounts.",
    });
    expect(applyRules(facts({ hashtags: 20, strong_words: 2 }))).toMatchObject({
      score: 0.64,
      would_reject: false,
    });
  });

  it("returns at most three reasons in order of weight", () => {
    const change = {
      hashtags: 23,
      strong_words: 1,
      text: { mentions: 12, links: links(4) },
      account_age_days: 2.5,
    };
    expect(applyRules(facts(change)).reasons).toEqual([
      "The post mentions 12 accounts.",
      "The post carries 23 hashtags.",
      "The account was 2 days old when it posted this link.",
    ]);
  });

  it("returns no reasons for an ordinary post", () => {
    expect(applyRules(quiet)).toMatchObject({ score: 0, would_reject: false, reasons: [] });
  });

  it("uses the operator's weights and switches", () => {
    const many = facts({ hashtags: 25 });
    expect(applyRules(many, [{ name: "many_hashtags", weight: 0.9, enabled: true }])).toMatchObject({
      score: 0.9,
      would_reject: true,
    });
    expect(applyRules(many, [{ name: "many_hashtags", weight: 0.9, enabled: false }]).checks).toHaveLength(1);
    expect(applyRules(many, [{ name: "a_rule_of_another_version", weight: 1, enabled: true }]).score).toBe(
      0.6,
    );
  });

  it("never scores lower because another rule applies", () => {
    const change = fc.record({
      hashtags: fc.nat(40),
      strong_words: fc.nat(3),
      mentions: fc.nat(15),
      links: fc.nat(5),
      byAuthor: fc.nat(5),
    });
    fc.assert(
      fc.property(change, ({ hashtags, strong_words, mentions, links: n, byAuthor }) => {
        const verdict = applyRules(
          facts({
            hashtags,
            strong_words,
            repeats: { byAuthor, authors: 1 },
            text: { mentions, links: links(n) },
          }),
        );
        const single = verdict.checks.slice(1).map((check) => check.score ?? 0);
        expect(verdict.score).toBeGreaterThanOrEqual(Math.max(0, ...single) - 1e-4);
        expect(verdict.score).toBeLessThanOrEqual(1);
        expect(verdict.would_reject).toBe(verdict.score >= 0.7);
      }),
    );
  });
});

describe("a rule whose fact is unknown", () => {
  it("does not vote, is named, and does not affect the others", () => {
    const verdict = applyRules({ ...facts({ hashtags: 25, text: { mentions: 6 } }), repeats: null });
    expect(verdict).toMatchObject({ score: 0.8, would_reject: true });
    expect(verdict.reasons).toEqual([
      "The post carries 25 hashtags.",
      "The post mentions 6 accounts.",
      "Could not be checked: repeated by author, repeated by many.",
    ]);
    expect(verdict.checks.find((check) => check.name === "repeated_by_many")).toEqual({
      name: "repeated_by_many",
      kind: "rule",
      score: null,
      threshold: null,
      votes: false,
      reason: 'The check "repeated by many" could not be run.',
    });
  });

  it("leaves a verdict from the remaining facts", () => {
    const blind = { ...quiet, text: null, repeats: null, listed_words: null, strong_words: null };
    expect(applyRules(blind)).toMatchObject({ would_reject: false, score: 0 });
  });
});
