/** Known when a post is fetched. */
export interface FeatureInput {
  /** Sanitised. */
  html: string;
  /** Plain text. */
  text: string;
  hashtags: readonly string[];
  /** user@host. */
  author: string;
  instance: string;
  /** Addresses. */
  links: readonly string[];
  stream: string | null;
  /** BCP 47. */
  language: string | null;
  /** Kind of each attachment: "image", "video", … */
  media: readonly string[];
  has_alt_text: boolean;
  sensitive: boolean;
  is_bot: boolean;
  account_age_days: number | undefined;
  is_reply: boolean;
  mentions: number;
  /** 0–1. */
  capitals_share: number;
  exclamations: number;
  /** Names of the rules that apply. */
  rules: readonly string[];
}

/** Limit for one post. Text comes last, so a long post loses the end of its text. */
export const MAX_FEATURES = 400;
export const SLOTS = 2 ** 18;
/** Characters of a text that are read; also the limit of the time for one post. */
const LONGEST_TEXT = 10_000;
const LONGEST_WORD = 64;
const LONGEST_NAME = 200;
/** Entries that are read of each list of a post. */
const MOST_OF_A_LIST = 30;

const ADDRESS = /https?:\/\/\S+/g;
const MENTION = /@[\p{L}\p{N}_]+(?:[.@-]+[\p{L}\p{N}_]+)*/gu;
const EMOJI = /^\p{Extended_Pictographic}/u;
const MARKUP = { quote: "<blockquote", code: "<code", list: "<li" } as const;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/**
 * Names such as "word:giveaway", "words:free crypto", "author:a@b.example", "link:shop.example". Presence only,
 * distinct, at most `MAX_FEATURES`, in a fixed order. Linear time.
 */
export function featureNames(input: FeatureInput): string[] {
  const names = new Set<string>();
  addMetadata(names, input);
  addWords(names, wordsOf(input.text));
  return [...names];
}

function addMetadata(names: Set<string>, input: FeatureInput): void {
  add(names, "author", [input.author]);
  add(names, "instance", [input.instance]);
  add(names, "stream", [input.stream ?? ""]);
  add(names, "language", [input.language ?? ""]);
  add(names, "tag", input.hashtags);
  add(names, "link", input.links.slice(0, MOST_OF_A_LIST).map(hostOf));
  add(names, "media", input.media);
  add(names, "rule", input.rules);
  if (input.media.length > 0) names.add(input.has_alt_text ? "alt:yes" : "alt:no");
  if (input.sensitive) names.add("sensitive:yes");
  if (input.is_bot) names.add("bot:yes");
  if (input.is_reply) names.add("reply:yes");
  addRange(names, "age", Math.max(0, Math.floor(input.account_age_days ?? NaN)), [0, 1, 3, 7, 30, 365]);
  addRange(names, "tags", input.hashtags.length, [1, 2, 4, 7, 12, 20]);
  addRange(names, "links", input.links.length, [1, 2, 3, 6]);
  addRange(names, "mentions", input.mentions, [1, 2, 3, 6, 10]);
  addRange(names, "attachments", input.media.length, [1, 2, 4]);
  addRange(names, "exclamations", input.exclamations, [1, 2, 3, 6]);
  addRange(names, "capitals", Math.floor(input.capitals_share * 100), [5, 10, 20, 40, 70]);
  for (const [markup, tag] of Object.entries(MARKUP)) {
    if (input.html.includes(tag)) names.add(`markup:${markup}`);
  }
}

function add(names: Set<string>, kind: string, values: readonly string[]): void {
  for (const value of values.slice(0, MOST_OF_A_LIST)) {
    if (value !== "") names.add(`${kind}:${value.slice(0, LONGEST_NAME).normalize("NFKC").toLowerCase()}`);
  }
}

/**
 * "links:1", "links:3-5" or "links:6+". Nothing below the first range: a feature of nearly all posts says nothing about
 * one of them (without such features the AUC after 30 to 100 short posts was 0.88 instead of 0.86).
 *
 * @param starts first values of the ranges
 */
function addRange(names: Set<string>, kind: string, value: number, starts: readonly number[]): void {
  const index = starts.findLastIndex((start) => start <= value);
  const from = starts[index];
  const next = starts[index + 1];
  if (from === undefined) return;
  if (next === undefined) names.add(`${kind}:${from}+`);
  else names.add(next - 1 === from ? `${kind}:${from}` : `${kind}:${from}-${next - 1}`);
}

function addWords(names: Set<string>, words: readonly string[]): void {
  addRange(names, "length", words.length, [1, 4, 10, 25, 50, 100]);
  let previous: string | null = null;
  for (const word of words) {
    if (names.size + 2 > MAX_FEATURES) return;
    names.add(`word:${word}`);
    if (previous !== null) names.add(`words:${previous} ${word}`);
    previous = word;
  }
}

/** Without addresses and mentions, which have features of their own. Also for Japanese and Thai. */
function wordsOf(text: string): string[] {
  const bare = text
    .normalize("NFKC")
    .slice(0, LONGEST_TEXT)
    .toLowerCase()
    .replace(ADDRESS, " ")
    .replace(MENTION, " ");
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(bare)) {
    if (isWordLike || EMOJI.test(segment)) words.push(segment.slice(0, LONGEST_WORD));
  }
  return words;
}

/** Without "www."; "" when the link is no URL. Stored slots depend on it. */
export function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, "") : "";
}

/**
 * Stored slots refer to it, so it must not change. Pairs of words are the most names by far: they have one half of the
 * slots, single words a quarter and metadata the last quarter, so that a word never takes the slot of an author.
 */
export function slotOf(name: string): number {
  const hash = hashOf(name);
  if (name.startsWith("words:")) return hash % (SLOTS / 2);
  return (name.startsWith("word:") ? SLOTS / 2 : (SLOTS / 4) * 3) + (hash % (SLOTS / 4));
}

/** FNV-1a over UTF-16 units, then the last steps of MurmurHash3, because the low bits of FNV-1a are weak. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Distinct and sorted, as `decodeSlots` returns them. */
export function slotsOf(names: readonly string[]): Uint32Array {
  return Uint32Array.from(new Set(names.map(slotOf))).sort();
}

/**
 * Distances between the sorted distinct slots, as variable-length integers: about 2 bytes a slot.
 *
 * @throws RangeError for a number that is no slot
 */
export function encodeSlots(slots: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let previous = -1;
  for (const slot of [...new Set(slots)].sort((a, b) => a - b)) {
    if (!Number.isInteger(slot) || slot < 0 || slot >= SLOTS) throw new RangeError(`not a slot: ${slot}`);
    let distance = slot - previous - 1;
    for (; distance > 127; distance >>>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance);
    previous = slot;
  }
  return Uint8Array.from(bytes);
}

/**
 * @throws RangeError unless `encodeSlots` can have written the bytes
 */
export function decodeSlots(bytes: Uint8Array): Uint32Array {
  const slots: number[] = [];
  let previous = -1;
  for (let at = 0; at < bytes.length;) {
    let distance = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++] ?? 255;
      if (shift > 14 || (byte === 0 && shift > 0)) throw new RangeError("damaged slots");
      distance += (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    previous += distance + 1;
    if (previous >= SLOTS) throw new RangeError("damaged slots");
    slots.push(previous);
  }
  return Uint32Array.from(slots);
}
