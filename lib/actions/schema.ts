import { z } from "zod";
import type { ErrorCode } from "#lib/errors.ts";
import { isoTime, logPaging, queryBoolean, queryInteger } from "#lib/http/fields.ts";

/** Each has an entry in app/api/v1/actions/kinds.ts and its words in components/words/en/actions.ts. */
export const actionKindNames = [
  "decision",
  "note",
  "batch",
  "errors",
  "delivery",
  "offer",
  "release",
  "settings",
  "standing",
  "saved_filter",
  "stream",
  "topical_tag",
  "check_setting",
  "classify_rule",
  "classify_word",
  "block",
  "unblock",
  "block_import",
  "reject_blocked",
  "suggestion",
  "suggested_block",
  "opt_out",
  "deletion",
] as const;
export type ActionKindName = (typeof actionKindNames)[number];

/** Why an undo leaves something as it is. */
export const undoLimits = [
  "handed_out",
  "decided_again",
  "edited",
  "changed_again",
  "deleted",
  "erased",
  "expired",
  "final",
] as const;
export type UndoLimit = (typeof undoLimits)[number];

export const Limit = z
  .object({
    reason: z.enum(undoLimits),
    count: z.int(),
    detail: z.string().meta({ example: "3 of 24 were already handed out" }),
  })
  .meta({ id: "UndoLimit" });
export type Limit = z.infer<typeof Limit>;

export const Action = z
  .object({
    id: z.uuid(),
    kind: z.enum(actionKindNames),
    at: isoTime,
    this_session: z.boolean().meta({ description: "Made in the session that asks." }),
    changed: z.int().meta({ description: "Posts or entries that it changed." }),
    details: z.record(z.string(), z.unknown()),
    post: z.object({ id: z.int(), author_account: z.string(), snippet: z.string() }).nullable(),
    undone_at: isoTime.nullable(),
    undoable: z.boolean(),
    restorable: z.int().meta({ description: "Posts or entries that an undo would restore now." }),
    limits: z.array(Limit).meta({ description: "Why the others stay; after an undo, why they stayed." }),
  })
  .meta({ id: "Action" });
export type Action = z.infer<typeof Action>;

export const ActionList = z
  .object({ items: z.array(Action), next_cursor: z.string().nullable() })
  .meta({ id: "ActionList" });
export type ActionList = z.infer<typeof ActionList>;

export const ActionQuery = z.object({
  cursor: logPaging.cursor,
  limit: queryInteger(1, 100, "Maximum number of actions.").optional().default(20),
  this_session: queryBoolean("Only actions of the session that asks.").optional(),
  undone: queryBoolean("Only actions that were undone, or only others.").optional(),
});
export type ActionQuery = z.output<typeof ActionQuery>;

export const UndoResult = z
  .object({ id: z.uuid(), restored: z.int(), limits: z.array(Limit) })
  .meta({ id: "UndoResult" });
export type UndoResult = z.infer<typeof UndoResult>;

/** Sent with the action's own endpoint. */
export const previewToken = z
  .uuid()
  .optional()
  .meta({ description: "Token of `POST /actions/preview`: exactly the counted items are changed, once." });

/** Refusals of a token. */
export const previewErrors = ["preview_not_valid", "action_done", "reach_grown"] satisfies ErrorCode[];

export const ActionPreview = z
  .object({
    token: z.uuid(),
    expires_at: isoTime,
    changes: z.int().meta({ description: "Posts or entries that will change." }),
    counts: z.record(z.string(), z.int()),
    warnings: z.array(z.object({ code: z.string(), count: z.int(), detail: z.string() })),
  })
  .meta({ id: "ActionPreview" });
export type ActionPreview = z.infer<typeof ActionPreview>;
