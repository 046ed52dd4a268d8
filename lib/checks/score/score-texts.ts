import { db } from "#lib/base/db.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { log } from "#lib/base/log.ts";
import { ALL, predict } from "#lib/checks/learner/counts.ts";
import { featureId, featureNames } from "#lib/checks/learner/features.ts";
import { readCounts, readFeatureKey } from "#lib/checks/learner/learn.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { accountAge, type PostText } from "#lib/checks/results/post-text.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import { readPost } from "#lib/checks/rules/read-text.ts";
import { countRepeats, textFingerprint, type Copy, type Repeats } from "#lib/checks/rules/repeats.ts";
import { applyRules } from "#lib/checks/rules/rules.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { listWords } from "#lib/checks/words/word-list.ts";
import { foldWord, phrasesIn, wordsOfPost } from "#lib/checks/words/words.ts";
import { copyRows, scoreCopiesAgain } from "./sql.ts";

export { queueRemote } from "#lib/checks/remote/sql.ts";

/** Settings, words and the learner's key, read once for many posts. */
export interface ScoreFacts {
  /** Database time of the reading. After a later change the posts are scored again. */
  at: Date;
  settings: CheckSettings;
  words: { word: string; folded: string }[];
  /** Secret of the learner's feature ids. */
  key: string;
}

export async function readScoreFacts(): Promise<ScoreFacts> {
  // Truncated to milliseconds; rounding up could hide a change.
  const [row] = await db.$queryRaw<
    { at: Date }[]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS at`;
  return {
    at: row?.at ?? new Date(),
    settings: await readCheckSettings(),
    words: (await listWords()).map(({ word }) => ({ word, folded: foldWord(word) })),
    key: await readFeatureKey(),
  };
}

/** Results of the text stage: columns of `post_check`, and the fingerprint of the post. */
interface TextScore extends Pick<RawChecks, "rules" | "learner_score" | "learner_reasons"> {
  /** Decimal text, because JSON would round the number. */
  text_fingerprint: string | null;
}

/**
 * Runs the text stage (rules, words and learner) on posts that are stored or will be. Writes nothing. Reads the copies of
 * the texts and the learner's counts once for all posts.
 *
 * @param posts a few hundred at most
 * @returns the scores in the order of the posts, and the ids of other stored posts whose text is now repeated too often
 */
export async function scoreTexts(
  posts: readonly PostText[],
  { words, key }: ScoreFacts,
): Promise<{ scores: TextScore[]; copies: number[] }> {
  if (posts.length === 0) return { scores: [], copies: [] };
  const fingerprints = await mapInSlices(posts, ({ plain_text }) => textFingerprint(plain_text));
  const { repeats, copies } = await findRepeats(posts, fingerprints);
  const phrases = words.map(({ folded }) => folded);
  const texts = await mapInSlices(posts, (post) => {
    const text = readPost(post);
    const listed = phrases.length === 0 ? [] : phrasesIn(wordsOfPost(post), phrases);
    const rules = applyRules({
      text,
      hashtags: post.hashtags.length,
      has_media: post.media.length > 0,
      account_age_days: accountAge(post),
      repeats: repeats.get(post.uri) ?? { byAuthor: 1, authors: 1 },
      listed_words: words.filter(({ folded }) => listed.includes(folded)).map(({ word }) => word),
    });
    return { rules, names: featureNames(post, text, rules) };
  });
  // Posts of a page have most features in common.
  const features = [...new Set(texts.flatMap(({ names }) => names))];
  const known = new Map(await mapInSlices(features, (name) => [name, featureId(name, key)] as const));
  const counts = await readCounts(
    [ALL, ...known.values()],
    posts.flatMap(({ author_key, instance }) => [author_key, instance]),
  );
  const scores = await mapInSlices([...posts.entries()], ([i, post]) => {
    const { rules = [], names = [] } = texts[i] ?? {};
    const ids = names.map((name) => known.get(name) ?? ALL);
    const { score = null, reasons = [] } = predict(names, ids, post, counts) ?? {};
    const text_fingerprint = fingerprints[i]?.toString() ?? null;
    return { rules, learner_score: score, learner_reasons: reasons, text_fingerprint };
  });
  return { scores, copies };
}

/** Scores posts before they are stored, so that they are inserted with their checks. Reads the facts once. */
export async function newPostScorer() {
  const facts = await readScoreFacts();
  const earlier = new Set<number>();
  return {
    /** Checks by uri. Leaves out posts that are stored already and posts whose check fails. */
    async score(posts: readonly PostText[]): Promise<Map<string, NewChecks>> {
      try {
        const uris = posts.map(({ uri }) => uri);
        const rows = await db.$queryRaw<
          { uri: string }[]
        >`SELECT uri FROM post WHERE uri = ANY (${uris}::text[])`;
        const stored = new Set(rows.map(({ uri }) => uri));
        const fresh = posts.filter(({ uri }) => !stored.has(uri));
        const { scores, copies } = await scoreTexts(fresh, facts);
        for (const id of copies) earlier.add(id);
        return new Map(
          fresh.flatMap((post, i) => {
            const score = scores[i];
            return score === undefined ? [] : [[post.uri, newChecks(post, score, facts)]];
          }),
        );
      } catch (error) {
        log.warn({ err: error, posts: posts.length }, "new posts stay unclassified");
        return new Map();
      }
    },
    /** Makes earlier copies of the texts due. Call after the commit. */
    finish: () => scoreCopiesAgain([...earlier]),
  };
}

/** Columns of `post` and `post_check` of a new post. */
export type NewChecks = ReturnType<typeof newChecks>;

function newChecks(post: PostText, { text_fingerprint, ...text }: TextScore, facts: ScoreFacts) {
  const picture_state = post.media.length > 0 ? "waiting" : "none";
  const raw: RawChecks = { ...text, picture_state, pictures: [], remote: null };
  const { would_reject, score, reasons, checks, ...shown } = judge(raw, facts.settings);
  return {
    post: {
      ai_would_reject: would_reject,
      ai_score: score,
      ai_reasons: reasons,
      ai_checks: checks,
      ...shown,
      text_fingerprint,
      classified_at: facts.at,
    },
    post_check: { ...text, picture_state },
  };
}

async function findRepeats(
  posts: readonly PostText[],
  fingerprints: readonly (bigint | null)[],
): Promise<{ repeats: Map<string, Repeats>; copies: number[] }> {
  const given = posts.flatMap(({ uri, author_key, created_at }, i) => {
    const fingerprint = fingerprints[i] ?? null;
    return fingerprint === null ? [] : [{ fingerprint, uri, author_key, created_at: new Date(created_at) }];
  });
  const uris = new Set(posts.map(({ uri }) => uri));
  // For the given posts the text counts, not the stored fingerprint.
  const others = (await copyRows(given)).filter(({ uri }) => !uris.has(uri));
  const groups = Map.groupBy<bigint, Copy & { fingerprint: bigint }>(
    [...given, ...others],
    ({ fingerprint }) => fingerprint,
  );
  const repeats = new Map([...groups.values()].flatMap((group) => [...countRepeats(group)]));
  const copies = others.filter(({ uri }) => {
    const { byAuthor = 0, authors = 0 } = repeats.get(uri) ?? {};
    return byAuthor >= 3 || authors >= 3;
  });
  return { repeats, copies: copies.map(({ id }) => id) };
}
