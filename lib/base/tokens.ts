/**
 * Search tokens: the content of `post.search`, and the query that finds it. PostgreSQL's own parsers know one
 * language at a time and no CJK at all; posts come in all of them. So posts and queries are split here by the same
 * rules: into words without stemming, and for scripts written without spaces into single characters and pairs. Pure, no
 * server imports.
 */
import { normaliseUnicode } from "./unicode-text.ts";

/** A lexeme may have 2046 bytes in PostgreSQL; no word anybody types has more than this many code points. */
const MAX_WORD = 64;
/** A tsvector may have 1 MiB; 200 kB leaves the GIN index small whatever a stranger's server sends. */
const MAX_LEXEMES = 5_000;
const MAX_BYTES = 200_000;
/** A longer query costs more without better results. */
const MAX_QUERY_TERMS = 32;
/** Characters of one text that are read; the caps of lexemes come far earlier for anything people write. */
const MAX_TEXT = 100_000;

const latinLetters = new Map(
  [..."ßæœøłđðþħıŋŧς"].map((letter, i) => [letter, "ss ae oe o l d d th h i n t σ".split(" ")[i] ?? letter]),
);
const latinPattern = new RegExp(`[${[...latinLetters.keys()].join("")}]`, "gu");

// Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs. Not the Japanese voicing marks
// (U+3099) or the vowels of Thai and Devanagari: there a mark makes another letter.
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu;

// Scripts written without spaces, and Hangul, whose particles are glued to the word.
const dense =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Bopomofo}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const denseStart = new RegExp(`^[${dense}]`, "v");
/** An emoji is a word of its own. */
const runs = new RegExp(
  `[${dense}]+|[[\\p{L}\\p{N}\\p{M}]--[${dense}]]+|\\p{RI}\\p{RI}|\\p{Extended_Pictographic}`,
  "gv",
);

/** One form for all spellings: NFKC, lower case, accents off, invisible characters out. */
export function normaliseForSearch(text: string): string {
  return normaliseUnicode(text, "NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(accents, "")
    .normalize("NFC")
    .replace(/\p{Cf}/gu, "")
    .replace(latinPattern, (letter) => latinLetters.get(letter) ?? letter);
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join("");
}

function pairsOf(characters: string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The searchable content of a post. Texts are plain, not HTML. */
export interface SearchableText {
  plain_text: string;
  spoiler_text: string | null;
  author_display_name: string | null;
  /** "@user@host". */
  author_account: string;
  hashtags: readonly string[];
  media: readonly { description?: string | null }[];
}

/**
 * Lexemes of a post for `array_to_tsvector(${lexemes}::text[])`: each once, none empty, in all at most
 * 5 000 and 200 kB. The most important texts come first, so a cap cuts the tail of a very long text.
 */
export function searchLexemes(post: SearchableText): string[] {
  const texts = [
    post.author_account,
    post.author_display_name ?? "",
    post.spoiler_text ?? "",
    post.hashtags.join(" "),
    post.plain_text,
    ...post.media.map((medium) => medium.description ?? ""),
  ];
  const lexemes = new Set<string>();
  let bytes = 0;
  for (const text of texts) {
    for (const run of normaliseForSearch(text.slice(0, MAX_TEXT)).match(runs) ?? []) {
      const characters = denseStart.test(run) ? [...run] : [];
      const found = characters.length > 0 ? [...characters, ...pairsOf(characters)] : [cut(run)];
      for (const lexeme of found) {
        if (lexemes.has(lexeme)) continue;
        // UTF-8 never needs more than three bytes a UTF-16 unit.
        bytes += lexeme.length * 3;
        if (lexemes.size >= MAX_LEXEMES || bytes > MAX_BYTES) return [...lexemes];
        lexemes.add(lexeme);
      }
    }
  }
  return [...lexemes];
}

/**
 * The text of a tsquery for a typed text, to be bound as `${text}::tsquery`: every word must occur, in any order, and a `*`
 * behind a word stands for any ending. At most 32 lexemes, each once. Characters with a meaning in tsquery never pass. Null
 * when there is no word in it: nothing can match then.
 */
export function searchQuery(q: string): string | null {
  const terms = new Set<string>();
  const normalised = normaliseForSearch(q.slice(0, MAX_TEXT));
  for (const { 0: run, index } of normalised.matchAll(runs)) {
    if (denseStart.test(run)) {
      const characters = [...run];
      for (const term of characters.length === 1 ? characters : pairsOf(characters)) terms.add(quoted(term));
    } else {
      terms.add(quoted(cut(run)) + (normalised[index + run.length] === "*" ? ":*" : ""));
    }
    if (terms.size >= MAX_QUERY_TERMS) break;
  }
  return terms.size === 0 ? null : [...terms].slice(0, MAX_QUERY_TERMS).join(" & ");
}

/** Lexemes hold letters, digits, marks and emoji only; quoted all the same, so that nothing else could pass. */
function quoted(lexeme: string): string {
  return `'${lexeme.replace(/\\/g, "\\\\").replace(/'/g, "''")}'`;
}
