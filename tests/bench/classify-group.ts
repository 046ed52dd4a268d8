import { predict, reasonSentences } from "#lib/checks/learner/counts.ts";
import { featureId, featureNames } from "#lib/checks/learner/features.ts";
import type { PostText } from "#lib/checks/results/post-text.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import { readText, type TextFacts } from "#lib/checks/rules/read-text.ts";
import { textFingerprint } from "#lib/checks/rules/repeats.ts";
import { applyRules } from "#lib/checks/rules/rules.ts";
import { phrasesIn, wordsOf } from "#lib/checks/words/words.ts";
import { blankText } from "#tests/setup/feature-input.ts";
import { seeded, type Random } from "#tests/simulated-server/random.ts";
import type { Row } from "./api-group.ts";
import { measurePictures } from "./pictures.ts";
import { shortTexts, spamMails } from "./labelled-texts.ts";
import { countsOf, reviewInOrder, type Example, type Retention } from "./review-in-order.ts";

export interface ClassifyOptions {
  /** Of the labelled texts; each is a history in another order. */
  orders: number;
  report: (line: string) => void;
}

/**
 * Row `text stage`: rules, features and prediction of posts, on one thread. Rows
 * `learner …`: predictions of labelled texts, each made before its label was learnt. Row `learner`: the worst of them.
 */
export async function runClassifyGroup({ orders, report }: ClassifyOptions): Promise<Row[]> {
  const rows = [measureTextStage(), ...(await measurePictures(report))];
  const learner: Row[] = [];
  try {
    for (const { name, texts, aim_auc } of sets) {
      const examples = (await texts()).map(({ text, links, rejected }) =>
        exampleOf(inputOf(text, links), rejected),
      );
      for (const { label, keep, most } of retentions)
        learner.push({
          name: name + label,
          ...measureLearner(examples, Math.min(orders, most), keep),
          aim_auc,
        });
    }
  } catch (error) {
    // The other set may be the easier one.
    return [...rows, { name: "learner", failed: `not measured: ${String(error)}` }];
  }
  const auc = Math.min(...learner.map((row) => Number(row.auc_least)));
  return [...rows, ...learner, { name: "learner", auc, aim_auc: 0.95 }];
}

const sets = [
  { name: "learner spam", texts: spamMails, aim_auc: 0.98 },
  { name: "learner short texts", texts: shortTexts, aim_auc: 0.95 },
];

/** Delivered posts are kept for seven days by default, or for none; most wait two days for their delivery. */
const retentions: readonly { label: string; keep?: Retention; most: number }[] = [
  { label: "", most: Infinity },
  { label: ", kept 7 days", keep: { approved: 9, rejected: 90 }, most: 2 },
  { label: ", kept 0 days", keep: { approved: 2, rejected: 90 }, most: 2 },
];

const key = "01".repeat(32);
const LISTED = ["free crypto", "airdrop", "casino bonus"];
const POSTS = 2_000;
const CHARACTERS = 500;

function measureTextStage(): Row {
  const random = seeded("text stage");
  const posts = Array.from({ length: POSTS }, () => madeUpText(random, CHARACTERS)).map((text) => ({
    text,
    html: `<p>${text} <a href="https://a.example/b">a.example/b</a></p>`,
  }));
  const judge = ({ text, html }: (typeof posts)[number]) => {
    const words = wordsOf(text);
    const facts = readText(html);
    textFingerprint(text);
    const rules = applyRules({
      text: facts,
      hashtags: 3,
      has_media: false,
      account_age_days: 100,
      repeats: { byAuthor: 1, authors: 1 },
      listed_words: phrasesIn(words, LISTED),
    });
    return { post: { ...blankText, plain_text: text, content: html }, text: facts, rules };
  };
  const inputs = posts.map(judge);
  const examples = inputs.map((input, i) => exampleOf(input, i % 3 === 0));
  const counts = countsOf(examples);
  const [rules, features, prediction] = [
    millisecondsFor(() => posts.forEach(judge)),
    millisecondsFor(() => inputs.forEach((input) => exampleOf(input, false))),
    millisecondsFor(() => {
      for (const { names, ids } of examples)
        reasonSentences(predict(names, ids, blankText, counts)?.reasons ?? []);
    }),
  ];
  return {
    name: "text stage",
    size: POSTS,
    characters: CHARACTERS,
    rps: (1000 * POSTS) / (rules + features + prediction),
    aim_rps: 2_000,
    rules_ms: rules / POSTS,
    features_ms: features / POSTS,
    predict_ms: prediction / POSTS,
  };
}

/** Processor time of this thread, shortest of five rounds: other work on the machine must not count. */
function millisecondsFor(work: () => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...rounds);
}

const HISTORY = 3_000;
/** Reviews before the figures begin. */
const LEARNT = 500;

function measureLearner(examples: readonly Example[], orders: number, keep?: Retention) {
  const aucs = Array.from({ length: orders }, (_, order) =>
    reviewInOrder(seeded(order).sample(examples, HISTORY), LEARNT, keep),
  );
  return { size: HISTORY - LEARNT, orders, auc_least: Math.min(...aucs) };
}

interface Input {
  post: PostText;
  text: TextFacts;
  rules: RawRule[];
}

function exampleOf({ post, text, rules }: Input, rejected: boolean): Example {
  const names = featureNames(post, text, rules);
  return { names, ids: names.map((name) => featureId(name, key)), rejected };
}

function inputOf(text: string, links: string[]): Input {
  const hashtags = [...text.matchAll(/#([\p{L}\p{N}_]+)/gu)].map(([, tag = ""]) => tag);
  return {
    post: { ...blankText, plain_text: text, hashtags },
    text: { ...readText(text), links, mentions: text.match(/@\w/g)?.length ?? 0 },
    rules: [],
  };
}

/** Words of two to ten letters; few are frequent, most are rare. */
function madeUpText(random: Random, length: number): string {
  let text = "";
  while (text.length < length) {
    const word = random.between(0, random.between(0, 19_999));
    text += `${word.toString(36).replace(/\d/g, "e")}${"aeiou"[word % 5] ?? ""} `;
  }
  return text.slice(0, length);
}
