import { z } from "zod";
import { previewer, type ActionKinds, type Previewer } from "#lib/actions/action-kind.ts";
import { batchKind, decisionKind } from "#lib/review/actions.ts";
import { previewBatch } from "#lib/review/batch-preview.ts";
import { BatchRequest } from "#lib/review/batch-schema.ts";

/* Joins the kinds of actions of all domains; lib/actions knows none of them. */

export const actionKinds: ActionKinds = { decision: decisionKind, batch: batchKind };

export const previewers: Record<string, Previewer> = {
  batch: previewer({ scope: "review", boundKeys: "own", body: BatchRequest, preview: previewBatch }),
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
