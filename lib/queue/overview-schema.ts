import { z } from "zod";
import type { Emoji } from "#lib/fediverse/emojis.ts";

export interface ListedPost {
  post_id: number;
  author_account: string;
  content_snippet: string;
  /** In the text. */
  emojis: Emoji[];
  /** Hashtag of its stream; "" without one. */
  stream: string;
  has_attachments: boolean;
  approved_at: string;
  /** Nacked and timed-out deliveries. */
  nacks: number;
  timeouts: number;
  /** Nacks and time-outs in a row. */
  refusals: number;
  /** The post is kept back until then; null when it is not. */
  not_before: string | null;
  /** When the reservation ends; in the past for a post that the next request returns. */
  reserved_until: string | null;
}

/** @param days of runway; null without deliveries */
export function isSupplyLow(days: number | null): boolean {
  return days !== null && days < 1;
}

export const paceDays = z
  .int()
  .describe("Whole days that `deliveries_per_day` covers, 1 to 28: `lookback_days` of a trim at this pace.");

export interface QueueSupply {
  /** Posts by state. A post whose reservation has expired counts as pending and as timed out. */
  counts: { pending: number; reserved: number; delivered: number; error: number };
  /** Survive the deletion of posts. */
  all_time: { delivered: number; errors: number; trimmed: number; nacks: number; timeouts: number };
  /** Posts that can be handed out now. */
  available: number;
  /** Posts that are kept back after several refusals. */
  kept_back: number;
  held: { reason: string; count: number }[];
  deliveries_per_day: number;
  pace_days: number;
  /** Null without deliveries, like `runs_dry_at`. */
  runway_days: number | null;
  runs_dry_at: string | null;
}

export interface QueueOverview extends QueueSupply {
  /** Posts that come next, in order. */
  upcoming: ListedPost[];
  /** Posts that were refused several times, the next first. */
  refused: ListedPost[];
}
