import { z } from "zod";
import { BlockedUser } from "#lib/filters/schema.ts";
import { atLeastOneKey, bodyId, isoTime, MAX_ID, queryInteger, queryTime, text } from "#lib/http/fields.ts";
import { MAX_NOTE, Post, PostCard, postFilters, PostFilters, PostOrder } from "#lib/posts/schema.ts";

/** Reasons are short, so that they can be counted and put on keys. */
const reason = text(200);
const note = text(MAX_NOTE);

// Authors ----------------------------------------------------------------------------------------------------

export const Standing = z.enum(["trusted", "muted", "none"]);
export type Standing = z.infer<typeof Standing>;

/** One decision about a post of an author. */
export const AuthorDecision = z.object({
  post_id: z.int(),
  approved: z.boolean(),
  reviewed_at: isoTime,
  auto_reject_reason: z.string().nullable(),
  reviewer_notes: z.string().nullable(),
  snippet: z.string(),
});

/** What a card says about its author: decisions here, the newest thousand counted. */
export const AuthorHistory = z
  .object({
    approved: z.int(),
    rejected: z.int(),
    standing: Standing,
    last_decisions: z.array(AuthorDecision),
  })
  .meta({ id: "AuthorHistory" });
export type AuthorHistory = z.infer<typeof AuthorHistory>;

/** `GET /authors/{account}`. */
export const Author = z
  .object({
    account: z.string().meta({ example: "@alice@mastodon.social" }),
    display_name: z.string().nullable(),
    url: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_bot: z.boolean(),
    posts: z.int(),
    approved: z.int(),
    rejected: z.int(),
    auto_rejected: z.int(),
    unreviewed: z.int(),
    first_post_at: isoTime.nullable(),
    last_post_at: isoTime.nullable(),
    standing: Standing,
    standing_set_by: z.string().nullable(),
    standing_set_at: isoTime.nullable(),
    blocked_by: z
      .array(BlockedUser.pick({ id: true, account_identifier: true, pattern_type: true }))
      .meta({ description: "Entries of the block list that meet this author." }),
    opt_out: z
      .object({ reason: z.string(), reported_at: isoTime })
      .nullable()
      .meta({ description: "An opt-out that a consumer reported and nobody has decided about." }),
    last_decisions: z.array(AuthorDecision).meta({ description: "Newest first, at most 20." }),
  })
  .meta({ id: "Author" });
export type Author = z.infer<typeof Author>;

export const StandingChange = z
  .object({ standing: Standing })
  .meta({ id: "StandingChange", example: { standing: "trusted" } });

// Deck -------------------------------------------------------------------------------------------------------

export const DeckQuery = z.object({
  ...postFilters,
  count: queryInteger(1, 20, "Cards wanted.").optional().default(10),
  order: PostOrder.optional().default("oldest"),
});
export type DeckQuery = z.output<typeof DeckQuery>;

/** What an edit at the source changed. */
export const Edit = z.object({
  at: isoTime,
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});

/** What a reviewer's card says beyond the post itself. */
export const cardMarks = {
  author_history: AuthorHistory,
  author_blocked: z.boolean().meta({ description: "A pattern of the block list meets the author." }),
  blocked_hashtags: z
    .array(z.string())
    .meta({ description: "Those of `hashtags` that are on the block list." }),
};

export const DeckCard = PostCard.extend({
  ...cardMarks,
  lease_expires_at: isoTime,
  edit: Edit.nullable().meta({ description: "The last edit at the source, before and after." }),
}).meta({ id: "DeckCard" });
export type DeckCard = z.infer<typeof DeckCard>;

export const Deck = z
  .object({
    items: z.array(DeckCard),
    remaining: z
      .int()
      .meta({ description: "Unreviewed posts that match and that nobody else holds, these cards included." }),
    remaining_is_more: z
      .boolean()
      .meta({ description: "True when counting stopped at `remaining` and there are more." }),
  })
  .meta({ id: "Deck" });
export type Deck = z.infer<typeof Deck>;

// Decisions --------------------------------------------------------------------------------------------------

export const Decision = z
  .object({
    id: z.uuid().meta({ description: "Made by the client, once for each decision." }),
    post_id: bodyId,
    decision: z.enum(["approve", "reject", "skip", "undo"]),
    reason: reason.nullish(),
    note: note.nullish(),
    decided_at: z.iso.datetime({ offset: true }).nullish(),
  })
  .meta({ id: "Decision" });
export type Decision = z.infer<typeof Decision>;

export const Decisions = z.object({ decisions: z.array(Decision).min(1).max(100) }).meta({
  id: "Decisions",
  example: {
    decisions: [
      {
        id: "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11",
        post_id: 42,
        decision: "reject",
        reason: "spam",
        decided_at: "2026-05-04T12:00:00.000Z",
      },
    ],
  },
});

export const DecisionResult = z.object({
  id: z.string(),
  result: z.enum(["applied", "repeated", "conflict", "not_found"]),
  detail: z.string().optional(),
  post: Post.nullable(),
});
export type DecisionResult = z.infer<typeof DecisionResult>;
export const DecisionResults = z.object({ results: z.array(DecisionResult) }).meta({ id: "DecisionResults" });

// Saved filters and batches ----------------------------------------------------------------------------------

const filterKeys = new Set([...Object.keys(postFilters), "order"]);

/**
 * Filters of `GET /posts` inside a JSON body: the same names, values as in a query or as JSON has them. A name
 * nobody knows is refused: left out in silence it would select everything.
 */
export const FilterInput = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .superRefine((filter, ctx) => {
    for (const key of Object.keys(filter)) {
      if (!filterKeys.has(key)) ctx.addIssue({ code: "custom", path: [key], message: "is not a filter" });
    }
    const { error } = PostFilters.extend({ order: PostOrder.optional() }).safeParse(asQuery(filter));
    for (const issue of error?.issues ?? [])
      ctx.addIssue({ code: "custom", path: issue.path, message: issue.message });
  })
  .meta({ id: "PostFilter", example: { reviewed: false, language: "en" } });
export type FilterInput = z.infer<typeof FilterInput>;

function asQuery(filter: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, String(value)]));
}

/** The filters of a checked `FilterInput`. */
export function filtersOf(filter: FilterInput): PostFilters {
  return PostFilters.parse(asQuery(filter));
}

export const MAX_BATCH = 500;
/** What one filter may reach at once. */
export const MAX_FILTER_BATCH = 10_000;

export const BatchRequest = z
  .object({
    post_ids: z.array(bodyId).min(1).max(MAX_BATCH).optional(),
    filter: FilterInput.optional(),
    decision: z.enum(["approve", "reject"]),
    note: note.nullish(),
  })
  .superRefine((body, ctx) => {
    if ((body.post_ids === undefined) === (body.filter === undefined)) {
      ctx.addIssue({ code: "custom", path: ["post_ids"], message: "give either post_ids or filter" });
    }
    if (body.filter && Object.keys(body.filter).length === 0) {
      ctx.addIssue({ code: "custom", path: ["filter"], message: "must name at least one filter" });
    }
  })
  .meta({ id: "BatchRequest", example: { post_ids: [41, 42], decision: "reject", note: "off topic" } });
export type BatchRequest = z.infer<typeof BatchRequest>;

export const BatchResult = z
  .object({
    batch_id: z.string(),
    changed: z.int(),
    unchanged: z.array(z.object({ post_id: z.int(), detail: z.string() })),
  })
  .meta({ id: "BatchResult" });
export type BatchResult = z.infer<typeof BatchResult>;

export const SavedFilterInput = z
  .object({
    name: text(80, 1).refine((name) => name.trim() !== "", "must not be blank"),
    filter: FilterInput,
    shared: z.boolean().default(false),
    replace: z
      .boolean()
      .default(false)
      .meta({ description: "Write over one's own filter of that name instead of answering 409." }),
  })
  .meta({
    id: "SavedFilterInput",
    example: { name: "Japanese with pictures", filter: { language: "ja", has_media: true } },
  });
export type SavedFilterInput = z.infer<typeof SavedFilterInput>;

export const SavedFilter = z
  .object({
    id: z.int(),
    name: z.string(),
    filter: z.record(z.string(), z.unknown()),
    shared: z.boolean(),
    own: z.boolean(),
    owner: z.string(),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: "SavedFilter" });
export type SavedFilter = z.infer<typeof SavedFilter>;

/** Which saved filter: one's own by name, or any by id. */
export const SavedFilterName = atLeastOneKey(
  z.object({ name: text(80, 1).optional(), id: queryInteger(1, MAX_ID).optional() }),
);

// Logs -------------------------------------------------------------------------------------------------------

/** What counts as a review; the partial indexes of the log name the same (migration review_desk). */
export const reviewActions = [
  "approve",
  "reject",
  "unreview",
  "auto_reject",
  "skip",
  "unskip",
  "note",
  "score",
  "batch",
  "batch_undo",
  "edit",
  "delete",
] as const;

const cursor = z
  .string()
  .regex(/^\d{1,18}$/, "must be a next_cursor of an earlier answer")
  .optional();

const logFilters = {
  actor: text(200).optional().meta({ description: "Name of the member or key." }),
  member_id: queryInteger(1, MAX_ID).optional(),
  since: queryTime().optional(),
  until: queryTime().optional(),
};
const paging = { cursor, limit: queryInteger(1, 1000, "Lines to return.").optional().default(100) };

export const ReviewLogQuery = z.object({
  ...logFilters,
  action: z.enum(reviewActions).optional(),
  source: z.enum(["screen", "api", "filter", "service"]).optional(),
  post_id: queryInteger(0, MAX_ID).optional(),
  ...paging,
});
export type ReviewLogQuery = z.output<typeof ReviewLogQuery>;

export const ReviewLogLine = z.object({
  id: z.string(),
  at: isoTime,
  actor: z.string(),
  member_id: z.int().nullable(),
  source: z.enum(["screen", "api", "filter", "service"]),
  action: z.string(),
  post_id: z.int().nullable().meta({ description: "Null on the line of a batch." }),
  from: z.string().nullable(),
  to: z.string().nullable(),
  note: z.string().nullable(),
  batch: z.object({ id: z.string(), decision: z.string(), changed: z.int() }).nullable(),
  post: z
    .object({ url: z.string(), author_account: z.string(), snippet: z.string() })
    .nullable()
    .meta({ description: "Null when the post is deleted." }),
});
export type ReviewLogLine = z.infer<typeof ReviewLogLine>;
export const ReviewLog = z
  .object({ items: z.array(ReviewLogLine), next_cursor: z.string().nullable() })
  .meta({ id: "ReviewLog" });
export type ReviewLog = z.infer<typeof ReviewLog>;

export const AuditQuery = z.object({
  ...logFilters,
  action: text(100).optional().meta({ description: "`stream.create`, or `stream` for all about streams." }),
  ...paging,
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditLine = z.object({
  id: z.string(),
  at: isoTime,
  actor: z.string(),
  member_id: z.int().nullable(),
  source: z.enum(["screen", "api", "service"]),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditLine = z.infer<typeof AuditLine>;
export const AuditLog = z
  .object({ items: z.array(AuditLine), next_cursor: z.string().nullable() })
  .meta({ id: "AuditLog" });
export type AuditLog = z.infer<typeof AuditLog>;
