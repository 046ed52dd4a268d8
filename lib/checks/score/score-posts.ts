import { mapInSlices } from "#lib/base/event-loop.ts";
import type { Tx } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { applyPlatt } from "#lib/checks/learner/calibrate.ts";
import { ALL, numbersOf, scoreOf } from "#lib/checks/learner/counts.ts";
import { explain } from "#lib/checks/learner/explain.ts";
import { featureIds, featuresOf, type FeatureKey } from "#lib/checks/learner/features.ts";
import { learner, readFeatureKey } from "#lib/checks/learner/learn.ts";
import { readCounts } from "#lib/checks/learner/sql.ts";
import { queueRemote } from "#lib/checks/remote/sql.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { roundScore } from "#lib/checks/results/opinion.ts";
import { accountAge, postTextRows, type PostTextRow } from "#lib/checks/results/post-text.ts";
import type { RawChecks, RawRule } from "#lib/checks/results/raw-checks.ts";
import { readText } from "#lib/checks/rules/read-text.ts";
import { countRepeats, textFingerprint, type Copy, type Repeats } from "#lib/checks/rules/repeats.ts";
import { applyRules, type PostFacts } from "#lib/checks/rules/rules.ts";
import { defaultSettings, readCheckSettings, settingsKey } from "#lib/checks/settings/check-settings.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { rawRows, writeVerdictRows } from "#lib/checks/verdict/sql.ts";
import { listWords } from "#lib/checks/words/word-list.ts";
import { foldWord, MAX_CHECKED, phrasesIn, wordsOfPost } from "#lib/checks/words/words.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import {
  copyRows, databaseTime, harmlessUnreviewedIds, lockSameText, newTextRows, writeTextChecks, type NewText,
} from "./sql.ts"; // prettier-ignore

const BATCH = 500;

interface ListedWord {
  word: string;
  word_folded: string;
}

interface Facts {
  /** When they were read, by the database. */
  at: Date;
  /** Changes with settings and words. */
  version: string | null;
  settings: CheckSettings;
  words: ListedWord[] | null;
  key: FeatureKey;
}

export interface ScoreOptions {
  /** Also tries pictures again that could not be read, and remote checks that failed. */
  again?: boolean;
}

/**
 * The text stage: runs the rules and the learner and writes their results and the verdict, without reviewing the posts.
 * Pictures that were not looked at become due. Earlier unreviewed copies of a repeated text are classified again.
 *
 * @param postIds unknown ids are ignored
 * @returns ids of the classified posts
 */
export async function scorePosts(postIds: readonly number[], options: ScoreOptions = {}): Promise<number[]> {
  let facts = await readFacts();
  const scored: number[] = [];
  const earlier = new Set<number>();
  for (let from = 0; from < postIds.length; from += BATCH) {
    const ids = postIds.slice(from, from + BATCH);
    let batch = await scoreBatch(ids, facts, options);
    // The pass that follows a change of settings or words misses posts without a committed verdict.
    while (facts.version !== (await readVersion())) {
      facts = await readFacts();
      batch = await scoreBatch(ids, facts, options);
    }
    scored.push(...batch.scored);
    for (const id of batch.repeated) earlier.add(id);
  }
  for (const id of scored) earlier.delete(id);
  // Not recursive: the next post with the text finds further copies.
  const again = earlier.size > 0 ? await harmlessUnreviewedIds([...earlier]) : [];
  if (again.length > 0) await scoreBatch(again, facts, {});
  return scored;
}

export type { NewText } from "./sql.ts";
export type NewPostScorer = Awaited<ReturnType<typeof newPostScorer>>;

/** The text stage before posts are stored, so that they are inserted with their checks. Facts are read once. */
export async function newPostScorer() {
  const facts = await readFacts();
  const earlier = new Set<number>();
  return {
    /** By uri; posts that are stored already, or whose check fails, are left out. */
    async score(posts: readonly NewText[]): Promise<Map<string, NewChecks>> {
      const rows = (await orNull("new posts", () => newTextRows(posts))) ?? [];
      if (rows.length === 0) return new Map();
      const { results, repeated } = await readTexts(rows, facts);
      for (const id of repeated) if (id > 0) earlier.add(id);
      return new Map(results.map((result, n) => [rows[n]?.uri ?? "", newChecks(result, facts)]));
    },
    /** Once the posts are committed: classifies them again after a change of settings or words, and earlier copies of their texts. */
    async finish(stored: readonly number[]): Promise<void> {
      if (facts.version !== (await readVersion())) await scorePosts(stored);
      const again = earlier.size > 0 ? await harmlessUnreviewedIds([...earlier]) : [];
      if (again.length > 0) await scoreBatch(again, facts, {});
    },
  };
}

/** In the transaction that inserted posts with their checks: the chat model is asked about them, too. */
export async function queueNewPosts(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await queueRemote(tx, ids, false);
}

/** Columns of `post` and `post_check`. */
export type NewChecks = ReturnType<typeof newChecks>;

function newChecks(result: TextResult, { at, settings }: Facts) {
  const { rules, learner_score, learner_reasons, has_media, fingerprint } = result;
  const picture_state: RawChecks["picture_state"] = has_media ? "waiting" : "none";
  const raw = { ...unchecked, rules, learner_score, learner_reasons, picture_state };
  const { would_reject, score, reasons, checks, ...shown } = judge(raw, settings);
  return {
    post: {
      ai_would_reject: would_reject,
      ai_score: score,
      ai_reasons: reasons,
      ai_checks: checks,
      ...shown,
      // A JSON number would be rounded.
      text_fingerprint: fingerprint?.toString() ?? null,
      classified_at: at,
    },
    post_check: { rules, learner_score, learner_reasons, picture_state },
  };
}

async function scoreBatch(
  ids: readonly number[],
  facts: Facts,
  options: ScoreOptions,
): Promise<{ scored: number[]; repeated: number[] }> {
  const stored = await postTextRows([...ids]);
  if (stored.length === 0) return { scored: [], repeated: [] };
  const { results, repeated } = await readTexts(stored, facts);
  await writeResults(results, facts, options);
  return { scored: stored.map((row) => row.id), repeated };
}

/** In memory, with copies of the texts that are stored already. `repeated`: ids of the copies. */
async function readTexts(
  stored: readonly PostTextRow[],
  { words, key }: Facts,
): Promise<{ results: TextResult[]; repeated: number[] }> {
  const rows = stored.map((row) => ({ ...row, plain_text: cutCodePoints(row.plain_text, MAX_CHECKED) }));
  const fingerprints = new Map(
    await mapInSlices(rows, (row) => [row.id, textFingerprint(row.plain_text)] as const),
  );
  const repeats = await orNull("repeats", () => findRepeats(rows, fingerprints));
  const texts = await mapInSlices(rows, (row) => {
    const facts = factsOf(row, words, repeats);
    const found = applyRules(facts);
    const names = attempt(() => featuresOf(row, facts.text, found)) ?? [];
    return {
      id: row.id,
      version: row.version,
      host: row.host,
      author: row.author,
      instance: row.instance,
      has_media: row.media_count > 0,
      fingerprint: fingerprints.get(row.id) ?? null,
      rules: found,
      names,
      features: featureIds(names, key),
    };
  });
  const predictions = await orNull("counts", () => predict(texts));
  const results = texts.map((text) => ({ ...text, ...(predictions?.get(text.id) ?? unpredicted) }));
  const repeated = [...(repeats ?? [])]
    .filter(([, n]) => n.byAuthor >= 3 || n.authors >= 3)
    .map(([id]) => id);
  return { results, repeated };
}

type Prediction = Pick<RawChecks, "learner_score" | "learner_reasons">;

interface TextResult extends Prediction, Features {
  version: string;
  has_media: boolean;
  fingerprint: bigint | null;
  rules: RawRule[];
}

interface Features {
  id: number;
  /** Of the features. */
  names: string[];
  features: number[];
  host: string;
  author: number;
  instance: number;
}

/** Of the learner; null until it learnt decisions of both kinds. */
async function predict(posts: readonly Features[]): Promise<Map<number, Prediction> | null> {
  const counts = await readCounts([ALL, ...posts.flatMap(numbersOf)]);
  const calibration = await learner.read();
  const predictions = await mapInSlices(posts, (post): [number, Prediction] | null => {
    const score = scoreOf(post, counts);
    if (score === null) return null;
    const learner_score = roundScore(applyPlatt(calibration, score));
    return [post.id, { learner_score, learner_reasons: explain(post, post.names, post.host, counts) }];
  });
  return new Map(predictions.filter((each) => each !== null));
}

/** Results of pictures and remote checks stay. */
async function writeResults(
  results: readonly TextResult[],
  { at, settings }: Facts,
  { again = false }: ScoreOptions,
): Promise<void> {
  await inTransaction(async (tx) => {
    const locked = await lockSameText(tx, results);
    const before = new Map((await rawRows(tx, [...locked])).map((row) => [row.id, row]));
    const rows = results.flatMap((result) => {
      const { id, rules, has_media } = result;
      if (!locked.has(id)) return [];
      const raw = before.get(id) ?? unchecked;
      const pictures_due = has_media && arePicturesDue(raw, again);
      const picture_state = !has_media ? "none" : pictures_due ? "waiting" : raw.picture_state;
      const { learner_score, learner_reasons } = result;
      const verdict = judge({ ...raw, learner_score, learner_reasons, rules, picture_state }, settings);
      return [{ ...result, picture_state, pictures_due, verdict, classified_at: at }];
    });
    if (rows.length === 0) return;
    await writeTextChecks(tx, rows);
    const written = rows.map((row) => row.id);
    await queueRemote(tx, written, again);
    await writeVerdictRows(tx, rows);
  });
}

const unpredicted = { learner_score: null, learner_reasons: [] };
const unchecked: RawChecks = {
  ...unpredicted,
  rules: [],
  picture_state: "none",
  pictures: [],
  remote: null,
};

function arePicturesDue({ picture_state, pictures }: RawChecks, again: boolean): boolean {
  if (picture_state === "none") return true;
  return again && (picture_state !== "done" || pictures.some((picture) => picture.state === "failed"));
}

async function findRepeats(
  rows: PostTextRow[],
  fingerprints: Map<number, bigint | null>,
): Promise<Map<number, Repeats>> {
  const groups = new Map<bigint, Map<number, Copy>>();
  const add = (fingerprint: bigint, copy: Copy) => {
    const group = groups.get(fingerprint) ?? new Map<number, Copy>();
    groups.set(fingerprint, group.set(copy.post_id, copy));
  };
  const times: number[] = [];
  for (const row of rows) {
    const fingerprint = fingerprints.get(row.id) ?? null;
    if (fingerprint === null) continue;
    times.push(row.created_at.getTime());
    add(fingerprint, { post_id: row.id, author_key: row.author_key, created_at: row.created_at });
  }
  if (groups.size === 0) return new Map();
  const stored = await copyRows(
    [...groups.keys()],
    new Date(Math.min(...times)),
    new Date(Math.max(...times)),
  );
  // The current text of these posts counts, not the stored fingerprint.
  const present = new Set(rows.map((row) => row.id));
  for (const copy of stored) if (!present.has(copy.post_id)) add(copy.fingerprint, copy);
  return new Map([...groups.values()].flatMap((group) => [...countRepeats([...group.values()])]));
}

function factsOf(
  row: PostTextRow,
  words: ListedWord[] | null,
  repeats: Map<number, Repeats> | null,
): PostFacts {
  const textWords = attempt(() => wordsOfPost(row));
  return {
    text: attempt(() => readText(row.content || row.plain_text)),
    hashtags: row.hashtags.length,
    has_media: row.media_count > 0,
    account_age_days: accountAge(row),
    repeats: repeats === null ? null : (repeats.get(row.id) ?? { byAuthor: 1, authors: 1 }),
    listed_words: textWords && words && listedIn(textWords, words),
  };
}

/** Listed words of the text, as the operator wrote them. */
function listedIn(textWords: string[], words: ListedWord[]): string[] {
  const found = new Set(
    phrasesIn(
      textWords,
      words.map((word) => word.word_folded),
    ),
  );
  return words.filter((word) => found.has(word.word_folded)).map((word) => word.word);
}

function readVersion(): Promise<string | null> {
  return orNull("version of the settings", async () => {
    const words = await listWords();
    return [await settingsKey(), ...words.map(({ id }) => id)].join(" ");
  });
}

async function readFacts(): Promise<Facts> {
  // Before the others, so that a change while they are read is noticed.
  const at = await databaseTime();
  const version = await readVersion();
  const settings = await orNull("settings", readCheckSettings);
  const words = await orNull("words", async () =>
    (await listWords()).map(({ word }) => ({ word, word_folded: foldWord(word) })),
  );
  return { at, version, settings: settings ?? defaultSettings(), words, key: await readFeatureKey() };
}

/** An unreadable text must not stop the batch. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    log.warn({ err: error }, "classification: text analysis failed");
    return null;
  }
}

async function orNull<T>(fact: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    log.warn({ err: error, fact }, "classification: fact not loaded");
    return null;
  }
}
