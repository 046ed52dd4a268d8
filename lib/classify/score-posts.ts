import { db } from "#lib/db.ts";
import { mapInSlices } from "#lib/event-loop.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import { log } from "#lib/log.ts";
import { readText } from "./read-text.ts";
import { countRepeats, textFingerprint, type Copy, type Repeats } from "./repeats.ts";
import { applyRules, type PostFacts, type RuleSetting } from "./rules.ts";
import { copyRows, harmlessUnreviewedIds, postTextRows, writeVerdictRows, type PostTextRow } from "./sql.ts";
import { countStrongWords, phrasesIn, wordsOf } from "./words.ts";

const BATCH = 500;
/** Characters of a text that are checked; posts have at most a few thousand. */
const CHECKED = 10_000;
const DAY = 86_400_000;

interface ListedWord {
  stream_id: number | null;
  word: string;
  word_folded: string;
}

interface Settings {
  rules: RuleSetting[];
  words: ListedWord[] | null;
}

/**
 * Writes the verdicts of posts without reviewing them. Earlier unreviewed copies of a repeated text are classified
 * again.
 *
 * @param postIds unknown ids are ignored
 * @returns ids of the classified posts
 */
export async function scorePosts(postIds: readonly number[]): Promise<number[]> {
  const settings = await readSettings();
  const scored: number[] = [];
  const earlier = new Set<number>();
  for (let from = 0; from < postIds.length; from += BATCH) {
    const batch = await scoreBatch(postIds.slice(from, from + BATCH), settings);
    scored.push(...batch.scored);
    for (const id of batch.repeated) earlier.add(id);
  }
  for (const id of scored) earlier.delete(id);
  // Not recursive: the next post with the text finds further copies.
  const again = earlier.size > 0 ? await harmlessUnreviewedIds([...earlier]) : [];
  if (again.length > 0) await scoreBatch(again, settings);
  return scored;
}

async function scoreBatch(
  ids: readonly number[],
  settings: Settings,
): Promise<{ scored: number[]; repeated: number[] }> {
  const stored = await postTextRows([...ids]);
  if (stored.length === 0) return { scored: [], repeated: [] };
  const rows = stored.map((row) => ({ ...row, plain_text: cutCodePoints(row.plain_text, CHECKED) }));
  const fingerprints = new Map(
    await mapInSlices(rows, (row) => [row.id, textFingerprint(row.plain_text)] as const),
  );
  const repeats = await orNull("repeats", () => findRepeats(rows, fingerprints));
  const verdicts = await mapInSlices(rows, (row) => ({
    id: row.id,
    version: row.version,
    fingerprint: fingerprints.get(row.id) ?? null,
    verdict: applyRules(factsOf(row, settings.words, repeats), settings.rules),
  }));
  await writeVerdictRows(verdicts);
  const repeated = [...(repeats ?? [])]
    .filter(([, n]) => n.byAuthor >= 3 || n.authors >= 3)
    .map(([id]) => id);
  return { scored: rows.map((row) => row.id), repeated };
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
  const textWords = attempt(() =>
    wordsOf([row.spoiler_text ?? "", row.plain_text, ...row.hashtags].join("\n")),
  );
  return {
    text: attempt(() => readText(row.content || row.plain_text)),
    hashtags: row.hashtags.length,
    has_media: row.media_count > 0,
    account_age_days: row.author_created_at
      ? (row.created_at.getTime() - row.author_created_at.getTime()) / DAY
      : undefined,
    repeats: repeats === null ? null : (repeats.get(row.id) ?? { byAuthor: 1, authors: 1 }),
    listed_words: textWords && words && listedIn(textWords, words, row.stream_id),
    strong_words: textWords && countStrongWords(textWords, row.language),
  };
}

/** As the operator wrote them. */
function listedIn(textWords: string[], words: ListedWord[], streamId: number | null): string[] {
  const ofStream = words.filter((word) => word.stream_id === null || word.stream_id === streamId);
  const found = new Set(
    phrasesIn(
      textWords,
      ofStream.map((word) => word.word_folded),
    ),
  );
  return [...new Set(ofStream.filter((word) => found.has(word.word_folded)).map((word) => word.word))];
}

async function readSettings(): Promise<Settings> {
  const rules = await orNull("settings", () => db.classify_rule.findMany());
  const words = await orNull("words", () =>
    db.classify_word.findMany({
      select: { stream_id: true, word: true, word_folded: true },
      orderBy: { id: "asc" },
    }),
  );
  return { rules: rules ?? [], words };
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
