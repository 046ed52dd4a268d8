import { randomUUID } from "node:crypto";
import { POST as postApprove } from "#app/api/v1/posts/[id]/approve/route.ts";
import { PATCH as patchPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as postBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as postDecisions } from "#app/api/v1/review/decisions/route.ts";
import { db } from "#lib/db.ts";
import { makePost, makeStream } from "#tests/setup/factories.ts";
import { postIn } from "#tests/integration/posts/post-calls.ts";
import type { ActionRow } from "./action-row.ts";

/** Reviews and whole queue entries. */
export async function postStates(ids: number[]) {
  const posts = await db.post.findMany({
    where: { id: { in: ids } },
    orderBy: { id: "asc" },
    select: {
      id: true,
      approved: true,
      reviewed_at: true,
      reviewed_by: true,
      approved_at: true,
      reviewer_notes: true,
      manual_spam_score: true,
      auto_reject_reason: true,
    },
  });
  const entries = await db.queue_entry.findMany({
    where: { post_id: { in: ids } },
    orderBy: { post_id: "asc" },
  });
  return { posts, entries };
}

export const reviewRows: ActionRow[] = [
  ...(["approve", "reject"] as const).map((decision): ActionRow => ({
    name: `a batch that ${decision}s listed posts`,
    prepare: async (caller) => {
      const states = ["unreviewed", "unreviewed", "rejected", "pending", "error"] as const;
      const ids: number[] = [];
      for (const state of states) ids.push((await postIn(state)).id);
      const body = { post_ids: ids, decision, note: `note ${randomUUID()}` };
      return {
        state: () => postStates(ids),
        preview: { action: "batch", body },
        act: (preview) => caller.post(postBatch, "review/batch", { ...body, preview }),
        changes: decision === "approve" ? 3 : 4,
      };
    },
  })),
  {
    name: "a batch that approves all posts of a filter",
    prepare: async (caller) => {
      const stream = await makeStream();
      const make = async () => (await makePost({ stream_id: stream.id })).id;
      const ids = [await make(), await make(), await make()];
      const body = { filter: { stream_id: stream.id, reviewed: false }, decision: "approve" };
      return {
        state: () => postStates(ids),
        preview: { action: "batch", body },
        appear: async () => ids.push(await make()),
        act: (preview) => caller.post(postBatch, "review/batch", { ...body, preview }),
        changes: 3,
      };
    },
  },
  ...(["approve", "reject", "skip"] as const).map((decision): ActionRow => ({
    name: `the desk's decision ${decision}`,
    prepare: async (caller) => {
      const { id: post_id } = await makePost();
      const sent = { id: randomUUID(), post_id, decision, note: "written at the desk" };
      return {
        state: () => postStates([post_id]),
        act: () => caller.post(postDecisions, "review/decisions", { decisions: [sent] }),
        changes: 1,
        again: 200,
      };
    },
  })),
  {
    name: "the approval of one post",
    prepare: async (caller) => {
      const { id } = await postIn("rejected");
      return {
        state: () => postStates([id]),
        act: () => caller.post(postApprove, `posts/${id}/approve`, {}, { id: String(id) }),
        changes: 1,
        again: 200,
      };
    },
  },
  {
    name: "a note and a score without a decision",
    prepare: async (caller) => {
      const { id } = await postIn("rejected");
      await db.post.update({ where: { id }, data: { reviewer_notes: "before", manual_spam_score: 3 } });
      const body = { reviewer_notes: null, manual_spam_score: 80 };
      return {
        state: () => postStates([id]),
        act: () => caller.post(patchPost, `posts/${id}`, body, { id: String(id) }, "PATCH"),
        changes: 1,
        again: 200,
      };
    },
  },
  {
    name: "a second reason for a rejected post",
    prepare: async (caller) => {
      const { id } = await postIn("rejected");
      const body = { approved: false, reviewer_notes: "Offensive" };
      return {
        state: () => postStates([id]),
        act: () => caller.post(patchPost, `posts/${id}`, body, { id: String(id) }, "PATCH"),
        changes: 1,
        again: 200,
      };
    },
  },
  {
    name: "the approval of a post with a note that is taken away",
    prepare: async (caller) => {
      const { id } = await makePost({ reviewer_notes: "before" });
      const body = { approved: true, reviewer_notes: null, manual_spam_score: 5 };
      return {
        state: () => postStates([id]),
        act: () => caller.post(patchPost, `posts/${id}`, body, { id: String(id) }, "PATCH"),
        changes: 1,
        again: 200,
      };
    },
  },
  {
    name: "the rejection of a failed post",
    prepare: async (caller) => {
      const { id } = await postIn("error");
      const body = { approved: false, reviewer_notes: "a copy" };
      return {
        state: () => postStates([id]),
        act: () => caller.post(patchPost, `posts/${id}`, body, { id: String(id) }, "PATCH"),
        changes: 1,
        again: 200,
      };
    },
  },
  {
    name: "the withdrawal of an approval",
    prepare: async (caller) => {
      const { id } = await postIn("pending");
      return {
        state: () => postStates([id]),
        act: () => caller.post(patchPost, `posts/${id}`, { approved: null }, { id: String(id) }, "PATCH"),
        changes: 1,
        again: 200,
      };
    },
  },
];
