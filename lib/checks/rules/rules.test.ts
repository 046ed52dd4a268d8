import { describe, expect, it } from "vitest";
import { applyRules, rules, type PostFacts } from "./rules.ts";

const quiet: PostFacts = {
  text: { links: [], mentions: 0, onlyTagsAndLinks: false },
  hashtags: 2,
  has_media: false,
  account_age_days: 900,
  repeats: { byAuthor: 1, authors: 1 },
  listed_words: [],
};
type Change = Partial<Omit<PostFacts, "text">> & { text?: Partial<PostFacts["text"]> };
const facts = ({ text, ...rest }: Change): PostFacts => ({
  ...quiet,
  ...rest,
  text: { ...quiet.text, ...text },
});
const weights = new Map(rules.map((rule) => [rule.name, rule.weight]));
const hits = (change: Change) => applyRules(facts(change)).map(({ name }) => [name, weights.get(name)]);
const links = (n: number) => Array.from({ length: n }, (_, i) => `https://a.example/${i}`);

const cases: [string, Change, [string, number][]][] = [
  ["an ordinary post", {}, []],
  ["5 mentions", { text: { mentions: 5 } }, []],
  ["6 mentions", { text: { mentions: 6 } }, [["some_mentions", 0.5]]],
  ["9 mentions", { text: { mentions: 9 } }, [["some_mentions", 0.5]]],
  ["10 mentions", { text: { mentions: 10 } }, [["many_mentions", 0.75]]],
  ["19 hashtags", { hashtags: 19 }, []],
  ["20 hashtags", { hashtags: 20 }, [["many_hashtags", 0.6]]],
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
  ["only tags", { text: { onlyTagsAndLinks: true } }, [["only_tags_and_links", 0.4]]],
  ["only tags below a picture", { has_media: true, text: { onlyTagsAndLinks: true } }, []],
  ["a listed word", { listed_words: ["giveaway"] }, [["word_list", 1]]],
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
  it("gives the evidence of each rule that applies", () => {
    const change = { hashtags: 23, text: { mentions: 12, links: links(4) }, account_age_days: 2.5 };
    expect(applyRules(facts(change))).toEqual([
      { name: "many_mentions", reason: "The post mentions 12 accounts." },
      { name: "many_hashtags", reason: "The post carries 23 hashtags." },
      { name: "new_account_link", reason: "The account was 2 days old when it posted this link." },
    ]);
  });
});
