import { z } from "zod";
import { MAX_ID, paging, queryBoolean, queryInteger, queryTime, text } from "#lib/base/http/fields.ts";
import { checkNames } from "#lib/checks/results/check-names.ts";
import { heldReasons } from "#lib/queue/holds.ts";
import { queueStates, type QueueState } from "#lib/queue/states.ts";

/* Filters and orders of lists of posts. */

/** Results of the checks that `ai_would_reject` cannot express. */
export const AiResult = z
  .enum(["unsure", "not_checked"])
  .describe(
    "`unsure`: no check would reject, but the score is from 0.35 to 0.65 or a picture is uncertain. `not_checked`: without a result.",
  );
export type AiResult = z.infer<typeof AiResult>;

/** `queue_status` as a filter: a state, or a group of posts for bots. */
const QueueFilter = z
  .enum([...queueStates, "waiting", "ready", "with_bot"])
  .describe(
    "Only posts in this state of the queue; `waiting`: pending or reserved; `ready`: the next request can get it, also when its reservation has expired; `with_bot`: reserved, and the reservation has not expired.",
  );
/** States of the queue that a filter by `queue_status` includes. */
export function statesOf(filter: z.infer<typeof QueueFilter>): QueueState[] {
  if (filter === "with_bot") return ["reserved"];
  return filter === "waiting" || filter === "ready" ? ["pending", "reserved"] : [filter];
}

/** `held_by` as a filter: one reason, or any. */
const HeldBy = z
  .enum([...heldReasons, "any"])
  .describe("Pending posts whose first hold is this one; `any`: all held posts.");

export const postOrders = ["newest", "oldest", "ai_unsure", "author"] as const;
export const PostOrder = z.enum(postOrders);
export type PostOrder = z.infer<typeof PostOrder>;

/** Events of a post that have a time: for `since`, `until` and the orders by time. */
export const timedEvents = ["created", "fetched", "reviewed", "delivered", "errored"] as const;
export const TimedEvent = z.enum(timedEvents);
export type TimedEvent = z.infer<typeof TimedEvent>;

/** A search text or name in a query. Text that PostgreSQL cannot store is refused. */
const queryText = (max: number, description: string) =>
  text(max).meta({ override: { type: "string", maxLength: max }, description });

const language = queryText(35, "Language of the post, e.g. `en`; `en` finds `en-GB` too.");

/** Filters of lists, the deck, batches and saved filters. */
export const postFilters = {
  stream_id: queryInteger(0, MAX_ID, "Id of the stream that fetched the post first.").optional(),
  seen_in: queryInteger(0, MAX_ID, "Id of a stream that has fetched the post, first or later.").optional(),
  approved: queryBoolean("true: approved posts, false: rejected posts.").optional(),
  reviewed: queryBoolean("true: posts with a decision, false: posts without.").optional(),
  queue_status: QueueFilter.optional(),
  held_by: HeldBy.optional(),
  q: queryText(
    500,
    "Words in content, content warning, alt text, hashtags and author; `word*` for any ending. The address of a post finds that post; the address of a profile or `@user@host` finds that author's posts. One that leads to no stored post is searched as words.",
  ).optional(),
  language: language.optional(),
  has_media: queryBoolean().optional().describe("Only posts with media, or only posts without."),
  ai_would_reject: queryBoolean("Advice of the checks.").optional(),
  ai_result: AiResult.optional(),
  vision_category: queryText(64, "Label of the picture check.").optional(),
  warned_by: z
    .enum(checkNames)
    .optional()
    .describe("Decided posts that this check warned of, among the newest 20 000 decisions."),
  author: queryText(500, "`@user@host`, or a user name on any host.").optional(),
  instance: queryText(255, "The author's host.").optional(),
  happened: TimedEvent.optional().describe(
    "Event whose time `since`, `until` and the orders `newest` and `oldest` use; posts without this event are not listed. Default: `created`. `reviewed`: the current decision, including decisions of filters. `errored`: the change to the state error.",
  ),
  since: queryTime("Time of the event `happened`, at or after.").optional(),
  until: queryTime("Time of the event `happened`, at or before.").optional(),
  reviewer: queryInteger(
    0,
    MAX_ID,
    "Id of the member who decided, also through a key; 0: decisions without a known member. Excludes decisions of filters.",
  ).optional(),
  reviewed_by: queryText(200, "Name of the member or key that decided.").optional(),
  auto_rejected: queryBoolean("true: rejected by a filter, false: all others.").optional(),
  auto_reject_reason: queryText(200, "Rejected by a filter for this reason.").optional(),
  reject_reason: queryInteger(
    0,
    MAX_ID,
    "Rejected by reviewers for the reason with this id, also an archived one; 0: without a reason.",
  ).optional(),
  error_reason: queryText(
    1000,
    "In state error for this reason; the first 200 characters are compared.",
  ).optional(),
};
export const PostFilters = z.object(postFilters);
export type PostFilters = z.output<typeof PostFilters>;

/** Query of `GET /posts`. */
export const PostQuery = z.object({
  ...paging(),
  ...postFilters,
  order: PostOrder.optional().default("newest").describe("Order of the list."),
});
export type PostQuery = z.output<typeof PostQuery>;
