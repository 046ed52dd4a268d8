import { z } from "zod";
import { deletionKind } from "#lib/actions/deletions.ts";
import { previewer, type ActionKinds, type Previewer } from "#lib/actions/action-kind.ts";
import {
  blockName,
  importName,
  previewBlock,
  previewImportReach,
  previewRejection,
  previewRemoval,
  REJECTION,
  removalName,
} from "#lib/blocking/block-previews.ts";
import { requireBlockRight } from "#lib/blocking/blocks.ts";
import { blockImportKind, blockKind, rejectBlockedKind, unblockKind } from "#lib/blocking/block-undo.ts";
import { optOutKind, previewOptOut } from "#lib/blocking/opt-outs.ts";
import { checkSettingKind } from "#lib/checks/settings/change-check-settings.ts";
import { ruleKind } from "#lib/checks/settings/rule-settings.ts";
import { wordKind } from "#lib/checks/words/word-list.ts";
import { OptOutReach } from "#lib/consent/opt-out-schema.ts";
import {
  BlockListImport,
  blockListSchemas,
  BlockRemoval,
  ExportSettingsUpdate,
  RejectBlocked,
  type BlockKind,
} from "#lib/filters/schema.ts";
import { previewSettings, settingsKind } from "#lib/filters/settings.ts";
import { bodyId } from "#lib/http/fields.ts";
import { previewDeletion } from "#lib/posts/delete-post.ts";
import { RetentionUpdate } from "#lib/posts/retention-schema.ts";
import { countRetention } from "#lib/posts/retention.ts";
import { previewCleanup } from "#lib/queue/cleanup-delivered.ts";
import { previewErrors } from "#lib/queue/error-groups.ts";
import { ErrorGroup } from "#lib/queue/schema.ts";
import { previewTrim } from "#lib/queue/trim-pending.ts";
import { decisionKind, noteKind, postsKind } from "#lib/review/actions.ts";
import { previewBatch } from "#lib/review/batch-preview.ts";
import { BatchRequest } from "#lib/review/batch-schema.ts";
import { previewStreamDeletion, streamKind } from "#lib/streams/change-streams.ts";
import { topicalTagKind } from "#lib/topical/topical-tags.ts";

/* Joins the kinds of actions of all domains; lib/actions knows none of them. */

export const actionKinds: ActionKinds = {
  decision: decisionKind,
  note: noteKind,
  batch: postsKind("review"),
  errors: postsKind("manage"),
  delivery: postsKind("review"),
  settings: settingsKind,
  stream: streamKind,
  topical_tag: topicalTagKind,
  check_setting: checkSettingKind,
  classify_rule: ruleKind,
  classify_word: wordKind,
  block: blockKind,
  unblock: unblockKind,
  block_import: blockImportKind,
  reject_blocked: rejectBlockedKind,
  opt_out: optOutKind,
  deletion: deletionKind,
};

const blockPreviewers = <K extends BlockKind>(kind: K): Record<string, Previewer> => ({
  [blockName(kind)]: previewer({
    scope: kind === "user" ? "review" : "manage",
    body: blockListSchemas[kind].create,
    preview: (principal, body) => {
      requireBlockRight(principal, body);
      return previewBlock(kind, principal, body as never);
    },
  }),
  [importName(kind)]: previewer({
    scope: "manage",
    body: BlockListImport,
    preview: (principal, body) => previewImportReach(kind, principal, body),
  }),
  [removalName(kind)]: previewer({
    scope: kind === "user" ? "review" : "manage",
    body: BlockRemoval,
    preview: (principal, body) => previewRemoval(kind, principal, body),
  }),
});

/* Without undo. */
const id = bodyId.meta({ description: "Id of this entry.", example: 4 });
const deletions: Record<string, Previewer> = {
  cleanup: previewer({
    scope: "manage",
    body: z.object({
      retention_days: z.int().min(0).default(7).describe("Days that delivered posts are kept."),
    }),
    preview: (principal, { retention_days }) => previewCleanup(principal, retention_days),
  }),
  trim: previewer({
    scope: "manage",
    body: z.object({
      lookback_days: z
        .int()
        .min(1)
        .default(3)
        .describe("Days of deliveries from which the target is computed."),
    }),
    preview: (principal, { lookback_days }) => previewTrim(principal, lookback_days),
  }),
  retention: previewer({ scope: "manage", body: RetentionUpdate, preview: countRetention }),
  delete_post: previewer({
    scope: "manage",
    body: z.object({ id }),
    preview: (principal, body) => previewDeletion(principal, body.id),
  }),
  delete_stream: previewer({
    scope: "manage",
    body: z.object({ id }),
    preview: (principal, body) => previewStreamDeletion(principal, body.id),
  }),
};

export const previewers: Record<string, Previewer> = {
  requeue: previewer({
    scope: "manage",
    body: ErrorGroup,
    preview: (principal, group) => previewErrors(principal, "requeue", group),
  }),
  dismiss: previewer({
    scope: "manage",
    body: ErrorGroup,
    preview: (principal, group) => previewErrors(principal, "dismiss", group),
  }),
  batch: previewer({ scope: "review", body: BatchRequest, preview: previewBatch }),
  ...blockPreviewers("user"),
  ...blockPreviewers("hashtag"),
  [REJECTION]: previewer({ scope: "manage", body: RejectBlocked, preview: previewRejection }),
  settings: previewer({ scope: "manage", body: ExportSettingsUpdate, preview: previewSettings }),
  opt_out: previewer({ scope: "review", body: OptOutReach, preview: previewOptOut }),
  ...deletions,
};

/** "block_user" → "PreviewBlockUser". */
const modelName = (action: string) =>
  `Preview_${action}`.replace(/_(.)/g, (_, first: string) => first.toUpperCase());

const requests = Object.entries(previewers).map(([action, { body }]) =>
  z
    .object({
      action: z.literal(action).describe("Kind of the action."),
      body: body.describe("The request that would be sent."),
    })
    .meta({ id: modelName(action) }),
);

/** `body` is the body of the action's own endpoint. */
export const PreviewRequest = z
  .discriminatedUnion("action", requests as [(typeof requests)[0] & object])
  .meta({
    id: "PreviewRequest",
    example: { action: "batch", body: { post_ids: [41, 42], decision: "reject" } },
  });
