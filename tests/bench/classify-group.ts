import { predict, reasonSentences } from "#lib/checks/learner/counts.ts";
import { featureId, featureNames } from "#lib/checks/learner/features.ts";
import type { PostText } from "#lib/checks/results/post-text.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import { readText, type TextFacts } from "#lib/checks/rules/read-text.ts";
import { textFingerprint } from "#lib/checks/rules/repeats.ts";
import { applyRules } from "#lib/checks/rules/rules.ts";
import { phrasesIn, wordsOf } from "#lib/checks/words/words.ts";
import { blankText } from "#tests/setup/feature-input.ts";
import type { Row } from "./api-group.ts";
import { measurePictures } from "./pictures.ts";
import { shortTexts, spamMails, type LabelledText } from "./labelled-texts.ts";
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
  const measured: LearnerRow[] = [];
  const failures: string[] = [];
  for (const { name, texts, aim_auc } of sets) {
    try {
      const row = { name, ...measureLearner(await texts(), orders), aim_auc };
      measured.push(row);
      rows.push(row);
      for (const { label, keep } of retentions) {
        const kept = measureLearner(await texts(), Math.min(orders, 2), keep);
        const more = { name: `${name}, ${label}`, ...kept, aim_auc };
        measured.push(more);
        rows.push(more);
      }
    } catch (error) {
      const failed = `not measured: ${firstLine(error)}`;
      report(`${name} ${failed}`);
      rows.push({ name, failed });
      failures.push(`${name} ${failed}`);
    }
  }
  return [...rows, worstOf(measured, failures)];
}

const sets = [
  { name: "learner spam", texts: spamMails, aim_auc: 0.98 },
  { name: "learner short texts", texts: shortTexts, aim_auc: 0.95 },
];

/** Delivered posts are kept for seven days by default, or for none; most wait two days for their delivery. */
const retentions: readonly { label: string; keep: Retention }[] = [
  { label: "kept 7 days", keep: { approved: 9, rejected: 90 } },
  { label: "kept 0 days", keep: { approved: 2, rejected: 90 } },
];

type LearnerRow = Row & ReturnType<typeof measureLearner>;

/** Without figures when a set is missing: the other one may be the easier one. */
function worstOf(rows: readonly LearnerRow[], failures: readonly string[]): Row {
  if (failures.length > 0) return { name: "learner", failed: failures.join("; ") };
  return {
    name: "learner",
    auc: Math.min(...rows.map((row) => row.auc_least)),
    aim_auc: Math.min(...sets.map((set) => set.aim_auc)),
  };
}

function firstLine(error: unknown): string {
  return String(error).split("\n")[0] ?? "";
}

const key = "01".repeat(32);
const LISTED = ["free crypto", "airdrop", "casino bonus"];
const POSTS = 2_000;
const CHARACTERS = 500;

function measureTextStage(): Row {
  const draw = draws(1);
  const posts = Array.from({ length: POSTS }, () => madeUpText(draw, CHARACTERS)).map((text) => ({
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

function measureLearner(texts: readonly LabelledText[], orders: number, keep?: Retention) {
  const all = texts.map(({ text, links, rejected }) => exampleOf(inputOf(text, links), rejected));
  const aucs = Array.from({ length: orders }, (_, order) =>
    reviewInOrder(shuffled(all, order + 1).slice(0, HISTORY), LEARNT, keep),
  );
  return { size: HISTORY - LEARNT, orders, auc_least: Math.min(...aucs), auc_mean: mean(aucs) };
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
function madeUpText(draw: (n: number) => number, length: number): string {
  let text = "";
  while (text.length < length) {
    const word = draw(1 + draw(20_000));
    text += `${word.toString(36).replace(/\d/g, "e")}${"aeiou"[word % 5] ?? ""} `;
  }
  return text.slice(0, length);
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const draw = draws(seed);
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = draw(i + 1);
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}

/** Whole numbers from 0 to n - 1, the same in every run. */
function draws(seed: number): (n: number) => number {
  let state = Math.imul(seed, 0x9e3779b9) >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
