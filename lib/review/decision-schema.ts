import { z } from "zod";
import { bodyId, bodyTime, text } from "#lib/http/fields.ts";
import type { Emoji } from "#lib/fediverse/emojis.ts";
import { MAX_NOTE, Post } from "#lib/posts/schema.ts";

/** Short, so that reasons can be counted and assigned to keyboard shortcuts. */
const reason = text(200);

export const Decision = z
  .object({
    id: z.uuid().meta({ description: "Made by the client, once for each decision." }),
    post_id: bodyId,
    decision: z.enum(["approve", "reject", "skip", "undo"]),
    reason: reason.nullish(),
    note: text(MAX_NOTE).nullish(),
    decided_at: bodyTime().nullish(),
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

/** Can be undone until the post is reserved. */
export interface RecentDecision {
  post_id: number;
  decision: "approve" | "reject" | "skip";
  reason: string | null;
  /** ISO. */
  at: string;
  author_account: string;
  snippet: string;
  emojis: Emoji[];
}
