import { z } from "zod";
import { definitionOf } from "#lib/figures-schema.ts";
import { countOf, isoTime } from "#lib/http/fields.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";

export const ListedPost = z.object({
  post_id: z.int(),
  author_account: z.string(),
  content_snippet: z.string(),
  emojis: z.array(Emoji),
  stream: z.string(),
  has_attachments: z.boolean(),
  approved_at: isoTime,
  delivery_count: z.int(),
  /** Nacked and timed-out deliveries. */
  nacks: z.int(),
  timeouts: z.int(),
  refusals: z.int(),
  not_before: isoTime.nullable(),
  reserved_at: isoTime.nullable(),
  reserved_until: isoTime.nullable(),
  reserved_by: z.string().nullable(),
  held_by: z.string().nullable(),
});
export type ListedPost = z.infer<typeof ListedPost>;

export const QueueOverview = z
  .object({
    counts: z.object({
      pending: countOf("pending"),
      reserved: countOf("reserved"),
      delivered: countOf("stored_delivered"),
      error: countOf("stored_errors"),
    }),
    all_time: z.object({
      delivered: countOf("delivered"),
      errors: countOf("errors"),
      trimmed: countOf("trimmed"),
      nacks: countOf("nacks"),
      timeouts: countOf("timeouts"),
    }),
    available: z.int(),
    kept_back: z.int(),
    held: z.array(z.object({ reason: z.string(), count: z.int() })),
    deliveries_per_day: z.number().meta({ description: definitionOf("deliveries_per_day") }),
    runway_days: z
      .number()
      .nullable()
      .meta({ description: `${definitionOf("runway_days")} Null without deliveries.` }),
    runs_dry_at: isoTime.nullable().meta({ description: "The end of the runway; null without deliveries." }),
    upcoming: z.array(ListedPost),
    reservations: z.array(ListedPost),
    refused: z.array(ListedPost),
    held_posts: z.array(ListedPost),
  })
  .meta({ id: "QueueOverview" });
export type QueueOverview = z.infer<typeof QueueOverview>;
export type QueueSupply = Omit<QueueOverview, "upcoming" | "reservations" | "refused" | "held_posts">;
