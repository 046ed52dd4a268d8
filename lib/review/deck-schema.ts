import { z } from "zod";
import { isoTime, queryInteger } from "#lib/http/fields.ts";
import { incompleteResults, PostCard, PostDetail, postFilters, PostOrder } from "#lib/posts/schema.ts";
import { AuthorHistory } from "./author-schema.ts";

export const DeckQuery = z.object({
  ...postFilters,
  count: queryInteger(1, 20, "Maximum number of cards.").optional().default(10),
  order: PostOrder.optional().default("oldest"),
});
export type DeckQuery = z.output<typeof DeckQuery>;

export const Edit = z.object({
  at: isoTime,
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});

/** Fields of a card beyond the post. */
export const cardMarks = {
  author_history: AuthorHistory,
  author_blocked: z.boolean().meta({ description: "A pattern of the block list matches the author." }),
  blocked_hashtags: z
    .array(z.string())
    .meta({ description: "Hashtags of the post that are on the block list." }),
};

export const DeckCard = PostCard.extend({
  ...cardMarks,
  author_waiting: z.int().meta({
    description:
      "Further unreviewed posts of the author that are not leased to another reviewer, at most 100.",
  }),
  lease_expires_at: isoTime,
  advice_hidden: z.boolean().meta({
    description:
      "True when the advice of the checks is hidden until the decision: for members, one post in ten. `ai_*`, `text_reason` and `vision_*` are empty then, and all checked pictures are covered.",
  }),
  edit: Edit.nullable().meta({ description: "The last edit at the source, before and after." }),
}).meta({ id: "DeckCard" });
export type DeckCard = z.infer<typeof DeckCard>;

export const RemainingQuery = DeckQuery.omit({ count: true });
export type RemainingQuery = z.output<typeof RemainingQuery>;

export const Remaining = z
  .object({
    remaining: z.int().meta({
      description:
        "Number of matching unreviewed posts that are not leased to others, including the caller's cards.",
    }),
    remaining_is_more: z.boolean().meta({ description: "True when counting stopped at a limit." }),
    leased_to_others: z.int().meta({
      description:
        "Number of matching unreviewed posts on the desks of others. With `remaining`, the `total` of `GET /posts?reviewed=false`.",
    }),
  })
  .meta({ id: "Remaining" });
export type Remaining = z.infer<typeof Remaining>;

export const ToReview = Remaining.extend({
  on_your_desk: z.int().meta({
    description: "Number of unreviewed posts that are leased to the caller, under any filters.",
  }),
  on_your_desk_until: isoTime.nullable().meta({ description: "When the first of these leases ends." }),
}).meta({ id: "ToReview" });
export type ToReview = z.infer<typeof ToReview>;

export const Deck = Remaining.extend({
  items: z.array(DeckCard),
  incomplete_results: incompleteResults,
}).meta({ id: "Deck" });
export type Deck = z.infer<typeof Deck>;

export const PostFile = PostDetail.extend({
  ...cardMarks,
  edits: z.array(Edit).meta({ description: "Edits at the source, oldest first." }),
});
export type PostFile = z.infer<typeof PostFile>;
