import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { isoTime, queryInteger } from "#lib/base/http/fields.ts";
import { incompleteResults, PostCard, PostDetail } from "./post-schema.ts";
import { postFilters, PostOrder } from "./filter-schema.ts";
import { AuthorHistory } from "./author-schema.ts";

export const DeckQuery = z.object({
  ...postFilters,
  count: queryInteger(0, 20, "Maximum number of cards; 0 only counts.").optional().default(10),
  unsent: queryInteger(
    0,
    80,
    "Decisions that the caller has not sent yet. The answer has as many cards more.",
  )
    .optional()
    .default(0),
  order: PostOrder.optional().default("oldest").describe("Order of the list."),
});
export type DeckQuery = z.output<typeof DeckQuery>;

export const Edit = z.object({
  at: common.at,
  before: z.record(z.string(), z.unknown()).describe("Values before the change."),
  after: z.record(z.string(), z.unknown()).describe("Values after the change."),
});
export type Edit = z.infer<typeof Edit>;

/** Fields of a card beyond the post. */
export const cardMarks = {
  author_history: AuthorHistory.describe("Earlier decisions about this author."),
  author_blocked: z.boolean().describe("A pattern of the block list matches the author."),
  blocked_hashtags: z.array(z.string()).describe("Hashtags of the post that are on the block list."),
};

export const DeckCard = PostCard.extend({
  ...cardMarks,
  author_waiting: z
    .int()
    .describe("Further unreviewed posts of the author that are not leased to another reviewer, at most 100."),
  lease_expires_at: isoTime.describe("When the card goes back to the other reviewers."),
  edit: Edit.nullable().describe(
    "The last edit at the source, before and after; of a post that was approved before its edits, all of them since.",
  ),
}).meta({ id: "DeckCard" });
export type DeckCard = z.infer<typeof DeckCard>;

const Remaining = z
  .object({
    remaining: z
      .int()
      .describe(
        "Number of matching unreviewed posts that are not leased to others, including the caller's cards.",
      ),
    remaining_is_more: z.boolean().describe("True when counting stopped at a limit."),
    leased_to_others: z
      .int()
      .describe(
        "Number of matching unreviewed posts on the desks of others. With `remaining`, the `total` of `GET /posts?reviewed=false`.",
      ),
  })
  .meta({ id: "Remaining" });
export type Remaining = z.infer<typeof Remaining>;

export const Deck = Remaining.extend({
  items: z.array(DeckCard).describe("Entries of this page."),
  incomplete_results: incompleteResults,
}).meta({ id: "Deck" });
export type Deck = z.infer<typeof Deck>;

export const PostFile = PostDetail.extend({
  ...cardMarks,
  edits: z.array(Edit).describe("Edits at the source, oldest first."),
});
export type PostFile = z.infer<typeof PostFile>;
