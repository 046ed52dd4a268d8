import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import type { Repeats } from "./repeats.ts";
import type { TextFacts } from "./read-text.ts";

export interface PostFacts {
  text: TextFacts;
  hashtags: number;
  has_media: boolean;
  /** Undefined when the source does not state it. */
  account_age_days: number | undefined;
  repeats: Repeats;
  listed_words: readonly string[];
}

export interface Rule {
  name: string;
  describes: string;
  /** Weight of the rule, 0–1. */
  weight: number;
  /** One sentence with the evidence; null when the rule does not apply. */
  find: (facts: PostFacts) => string | null;
}

const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** Rules in the order of the settings page. One rule or two together reach the threshold of 0.7. */
export const rules: readonly Rule[] = [
  {
    name: "many_mentions",
    describes: "The post mentions ten accounts or more.",
    weight: 0.75,
    find: ({ text }) => mentions(text.mentions, 10, Infinity),
  },
  {
    name: "some_mentions",
    describes: "The post mentions six to nine accounts.",
    weight: 0.5,
    find: ({ text }) => mentions(text.mentions, 6, 9),
  },
  {
    name: "many_hashtags",
    describes: "The post carries 20 hashtags or more.",
    weight: 0.6,
    find: ({ hashtags }) => (hashtags >= 20 ? `The post carries ${hashtags} hashtags.` : null),
  },
  {
    name: "new_account_link",
    describes: "An account less than three days old posts a link.",
    weight: 0.6,
    find: ({ text, account_age_days: days }) => {
      if (days === undefined || days >= 3 || text.links.length === 0) return null;
      return `The account was ${days < 1 ? "less than a day" : plural(Math.floor(days), "day")} old when it posted this link.`;
    },
  },
  {
    name: "repeated_by_author",
    describes: "The author posts the same text three times or more within 24 hours.",
    weight: 0.7,
    find: ({ repeats: { byAuthor } }) =>
      byAuthor >= 3 ? `The author posted this text ${byAuthor} times within 24 hours.` : null,
  },
  {
    name: "repeated_by_many",
    describes: "Three accounts or more post the same text within 24 hours.",
    weight: 0.8,
    find: ({ repeats: { authors } }) =>
      authors >= 3 ? `${authors} accounts posted this text within 24 hours.` : null,
  },
  {
    name: "only_tags_and_links",
    describes: "The post has only hashtags, mentions and links, and no media.",
    weight: 0.4,
    find: ({ text, has_media }) =>
      text.onlyTagsAndLinks && !has_media ? "The post is nothing but hashtags, mentions and links." : null,
  },
  {
    name: "word_list",
    describes: "The post has a word from the list of rejected words.",
    weight: 1,
    find: ({ listed_words: words }) => {
      if (words.length === 0) return null;
      return `${words.length === 1 ? "Word" : "Words"} on the list: ${words.slice(0, 5).join(", ")}.`;
    },
  },
];

function mentions(n: number, min: number, max: number): string | null {
  return n >= min && n <= max ? `The post mentions ${n} accounts.` : null;
}

/** All rules that apply, also switched-off ones, which may be switched on later. */
export function applyRules(facts: PostFacts): RawRule[] {
  return rules.flatMap(({ name, find }) => {
    const reason = find(facts);
    return reason === null ? [] : [{ name, reason }];
  });
}
