import { z } from "zod";
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
import { blockImportKind, blockKind, rejectBlockedKind, unblockKind } from "#lib/blocking/block-undo.ts";
import { suggestionKind } from "#lib/blocking/suggestions.ts";
import {
  BlockListImport,
  blockListSchemas,
  BlockRemoval,
  RejectBlocked,
  type BlockKind,
} from "#lib/filters/schema.ts";
import { settingsKind } from "#lib/filters/settings.ts";
import { previewErrors } from "#lib/queue/error-batches.ts";
import { offerKind } from "#lib/queue/move-entry.ts";
import { ErrorGroup } from "#lib/queue/schema.ts";
import { batchKind, decisionKind, deliveryKind, errorsKind } from "#lib/review/actions.ts";
import { previewBatch } from "#lib/review/batch-preview.ts";
import { BatchRequest } from "#lib/review/batch-schema.ts";
import { savedFilterKind } from "#lib/review/saved-filters.ts";
import { standingKind } from "#lib/review/standings.ts";

/* Joins the kinds of actions of all domains; lib/actions knows none of them. */

export const actionKinds: ActionKinds = {
  decision: decisionKind,
  batch: batchKind,
  errors: errorsKind,
  delivery: deliveryKind,
  offer: offerKind,
  settings: settingsKind,
  standing: standingKind,
  saved_filter: savedFilterKind,
  block: blockKind,
  unblock: unblockKind,
  block_import: blockImportKind,
  reject_blocked: rejectBlockedKind,
  suggestion: suggestionKind,
};

const blockPreviewers = <K extends BlockKind>(kind: K): Record<string, Previewer> => ({
  [blockName(kind)]: previewer({
    scope: "manage",
    body: blockListSchemas[kind].create,
    preview: (principal, body) => previewBlock(kind, principal, body as never),
  }),
  [importName(kind)]: previewer({
    scope: "manage",
    body: BlockListImport,
    preview: (principal, body) => previewImportReach(kind, principal, body),
  }),
  [removalName(kind)]: previewer({
    scope: "manage",
    body: BlockRemoval,
    preview: (principal, body) => previewRemoval(kind, principal, body),
  }),
});

export const previewers: Record<string, Previewer> = {
  requeue: previewer({
    scope: "manage",
    boundKeys: "own",
    body: ErrorGroup,
    preview: (principal, group) => previewErrors(principal, "requeue", group),
  }),
  dismiss: previewer({
    scope: "manage",
    boundKeys: "own",
    body: ErrorGroup,
    preview: (principal, group) => previewErrors(principal, "dismiss", group),
  }),
  batch: previewer({ scope: "review", boundKeys: "own", body: BatchRequest, preview: previewBatch }),
  ...blockPreviewers("user"),
  ...blockPreviewers("hashtag"),
  [REJECTION]: previewer({ scope: "manage", body: RejectBlocked, preview: previewRejection }),
};

const requests = Object.entries(previewers).map(([action, { body }]) =>
  z.object({ action: z.literal(action), body }),
);

/** `body` is the body of the action's own endpoint. */
export const PreviewRequest = z
  .discriminatedUnion("action", requests as [(typeof requests)[0] & object])
  .meta({
    id: "PreviewRequest",
    example: { action: "batch", body: { post_ids: [41, 42], decision: "reject" } },
  });
