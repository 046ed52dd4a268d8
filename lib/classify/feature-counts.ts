import { gunzipSync, gzipSync } from "node:zlib";
import type { ReviewCount } from "#lib/learner/explain.ts";
import { decodeSlots, encodeSlots, SLOTS } from "#lib/learner/features.ts";
import type { Example } from "#lib/learner/model.ts";

/** Reviewed examples with a slot, and how many of them were rejected. */
export type FeatureCounts = ReadonlyMap<number, ReviewCount>;

/** One review is no evidence. */
const LEAST = 2;
const HEADER = 4;

export function countFeatures(examples: readonly Example[]): FeatureCounts {
  const reviewed = new Uint32Array(SLOTS);
  const rejected = new Uint32Array(SLOTS);
  for (const example of examples) {
    for (const slot of example.slots) {
      reviewed[slot] = (reviewed[slot] ?? 0) + 1;
      if (example.rejected) rejected[slot] = (rejected[slot] ?? 0) + 1;
    }
  }
  const counts = new Map<number, ReviewCount>();
  for (const [slot, n] of reviewed.entries()) {
    if (n >= LEAST) counts.set(slot, { reviewed: n, rejected: rejected[slot] ?? 0 });
  }
  return counts;
}

/** Gzip of the length of the encoded slots, the slots, and two numbers of four bytes for each. */
export function encodeCounts(counts: FeatureCounts): Uint8Array<ArrayBuffer> {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const slots = encodeSlots(sorted.map(([slot]) => slot));
  const bytes = Buffer.alloc(HEADER + slots.length + 8 * sorted.length);
  bytes.writeUInt32LE(slots.length);
  bytes.set(slots, HEADER);
  let at = HEADER + slots.length;
  for (const [, { reviewed, rejected }] of sorted) {
    bytes.writeUInt32LE(reviewed, at);
    bytes.writeUInt32LE(rejected, at + 4);
    at += 8;
  }
  return Uint8Array.from(gzipSync(bytes, { level: 1 }));
}

export function decodeCounts(stored: Uint8Array): FeatureCounts {
  if (stored.length === 0) return new Map();
  const bytes = gunzipSync(stored);
  const end = HEADER + bytes.readUInt32LE();
  const slots = decodeSlots(bytes.subarray(HEADER, end));
  return new Map(
    Array.from(slots, (slot, i) => [
      slot,
      { reviewed: bytes.readUInt32LE(end + 8 * i), rejected: bytes.readUInt32LE(end + 8 * i + 4) },
    ]),
  );
}
