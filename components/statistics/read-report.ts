import type { FailedPost } from "#lib/review/failed-schema.ts";
import { hashDistance } from "./hash-distance.ts";

/** The report of a bot about two equal pictures. */
export interface DuplicateReport {
  kind: string | null;
  matchedId: number | null;
  /** The bot matched the post with itself. */
  isItself: boolean;
  hashes: { current: string | null; matched: string | null };
  /** In bits; null when the bot sent no comparable hashes. */
  distance: number | null;
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

export function readReport({ id, error_details: details, matched }: FailedPost): DuplicateReport {
  const hashes = { current: textOf(details?.current_dhash), matched: textOf(details?.matched_dhash) };
  return {
    kind: textOf(details?.match_type),
    matchedId: matched?.post_id ?? null,
    isItself: String(details?.matched_post_id) === String(id),
    hashes,
    distance: hashDistance(hashes.current, hashes.matched),
  };
}
