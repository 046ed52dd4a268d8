import { z } from "zod";
import type { ErrorCode } from "#lib/errors.ts";
import { common } from "#lib/http/common-fields.ts";
import { isoTime, logPaging, queryBoolean, queryInteger, stringField } from "#lib/http/fields.ts";

const idField = z
  .uuid()
  .meta({ description: "Id of this entry.", example: "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11" });

/** Each has an entry in app/api/v1/actions/kinds.ts and its words in components/words/en/actions.ts. */
export const actionKindNames = [
  "decision",
  "note",
  "batch",
  "errors",
  "delivery",
  "settings",
  "stream",
  "topical_tag",
  "check_setting",
  "classify_rule",
  "classify_word",
  "block",
  "unblock",
  "block_import",
  "reject_blocked",
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
    reason: z.enum(undoLimits).describe("Reason, in a fixed form so that equal ones can be grouped."),
    count: common.count,
    detail: stringField("Why nothing was changed, in one sentence.", "3 of 24 were already handed out"),
  })
  .meta({ id: "UndoLimit" });
export type Limit = z.infer<typeof Limit>;

export const Action = z
  .object({
    id: idField,
    kind: z.enum(actionKindNames).describe("Kind of entry."),
    at: common.at,
    this_session: z.boolean().describe("Made in the session that asks."),
    changed: z.int().describe("Posts or entries that it changed."),
    details: z.record(z.string(), z.unknown()).describe("Facts of the action."),
    post: z
      .object({ id: common.id, author_account: common.author_account, snippet: common.snippet })
      .nullable()
      .describe("The post; null when it does not exist."),
    undone_at: isoTime.nullable().describe("When it was undone; null when it was not."),
    undoable: z.boolean().describe("Whether an undo would restore anything now."),
    restorable: z.int().describe("Posts or entries that an undo would restore now."),
    limits: z.array(Limit).describe("Why the others stay; after an undo, why they stayed."),
  })
  .meta({ id: "Action" });
export type Action = z.infer<typeof Action>;

export const ActionList = z
  .object({ items: z.array(Action).describe("Entries of this page."), next_cursor: common.next_cursor })
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
  .object({
    id: idField,
    restored: z.int().describe("Posts or entries that were restored."),
    limits: z.array(Limit).describe("Why some stay as they are."),
  })
  .meta({ id: "UndoResult" });
export type UndoResult = z.infer<typeof UndoResult>;

/** Sent with the action's own endpoint. */
export const previewToken = z.uuid().optional().meta({
  description: "Token of `POST /actions/preview`: exactly the counted items are changed, once.",
  example: "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11",
});

/** Refusals of a token. */
export const previewErrors = ["preview_not_valid", "action_done", "reach_grown"] satisfies ErrorCode[];

export const ActionPreview = z
  .object({
    token: z.uuid().meta({
      description: "Sent as `preview` with the action's own endpoint; works once.",
      example: "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11",
    }),
    expires_at: isoTime.describe("When the token stops working."),
    changes: z.int().describe("Posts or entries that will change."),
    counts: z.record(z.string(), z.int()).describe("Posts or entries that it concerns, by kind."),
    warnings: z
      .array(
        z
          .object({
            code: stringField("Stable name for programs.", "no_undo"),
            count: common.count,
            detail: common.detail,
          })
          .meta({ id: "PreviewWarning" }),
      )
      .describe("Facts to know before it is done."),
  })
  .meta({ id: "ActionPreview" });
export type ActionPreview = z.infer<typeof ActionPreview>;
