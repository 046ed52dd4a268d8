import { POST as postCleanup } from "#app/api/v1/curated/cleanup/route.ts";
import { POST as postTrim } from "#app/api/v1/curated/trim-pending/route.ts";
import { DELETE as deletePost } from "#app/api/v1/posts/[id]/route.ts";
import { PUT as putRetention } from "#app/api/v1/retention/route.ts";
import { DELETE as deleteStream } from "#app/api/v1/streams/[id]/route.ts";
import { db } from "#lib/db.ts";
import { planTrim } from "#lib/queue/trim-pending.ts";
import { postIn } from "#tests/integration/posts/post-calls.ts";
import { makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import type { Caller, Scene } from "./action-row.ts";

/* Actions without an undo. */

export interface DeletionRow {
  name: string;
  prepare: (caller: Caller) => Promise<DeletionScene>;
}

export interface DeletionScene extends Pick<Scene, "appear" | "changes" | "act"> {
  preview: { action: string; body: Record<string, unknown> };
  /** The same preview for another body, whose token must be refused. */
  other: Record<string, unknown>;
  state: () => Promise<unknown>;
  /** `state` after the action. */
  after: unknown;
}

const query = (preview: string | undefined) => (preview === undefined ? "" : `&preview=${preview}`);

const existing = async (ids: number[]) =>
  (await db.post.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } })).map(({ id }) => id);

export const deletionRows: DeletionRow[] = [
  {
    name: "the cleanup of delivered posts",
    prepare: async (caller) => {
      await db.queue_entry.deleteMany();
      const ids = [(await postIn("delivered")).id, (await postIn("delivered")).id];
      const later: number[] = [];
      return {
        state: () => existing([...ids, ...later]),
        preview: { action: "cleanup", body: { retention_days: 0 } },
        other: { retention_days: 1 },
        // Delivered after it was counted.
        appear: async () => {
          const { id } = await postIn("delivered");
          await db.queue_entry.update({
            where: { post_id: id },
            data: { delivered_at: new Date(Date.now() + 5) },
          });
          later.push(id);
        },
        act: (preview) => caller.post(postCleanup, `curated/cleanup?retention_days=0${query(preview)}`),
        changes: 2,
        after: later,
      };
    },
  },
  {
    name: "the trim of pending posts",
    prepare: async (caller) => {
      await addEvents("delivered", [
        [0, 1],
        [100, 1],
      ]);
      const { pending, target } = await planTrim(1);
      const ids = (await db.queue_entry.findMany({ where: { state: "pending" } })).map(
        (entry) => entry.post_id,
      );
      for (let n = pending; n <= target; n++) ids.push((await makePending()).id);
      const kept = ids.length - 1;
      const later: number[] = [];
      return {
        state: async () => ({ left: (await existing(ids)).length, later: await existing(later) }),
        preview: { action: "trim", body: { lookback_days: 1 } },
        other: { lookback_days: 2 },
        appear: async () => later.push((await makePending()).id),
        act: (preview) => caller.post(postTrim, `curated/trim-pending?lookback_days=1${query(preview)}`),
        changes: 1,
        after: { left: kept, later },
      };
    },
  },
  {
    name: "a change of the days that posts are kept",
    prepare: async (caller) => {
      await db.post.deleteMany();
      await makePost({ approved: false, reviewed_at: new Date(Date.now() - 40 * 86_400_000) });
      await db.retention_setting.updateMany({ data: { rejected_days: 90 } });
      const body = { rejected_days: 30 };
      return {
        state: async () => (await db.retention_setting.findFirstOrThrow()).rejected_days,
        preview: { action: "retention", body },
        other: { rejected_days: 20 },
        act: (preview) => caller.post(putRetention, "retention", { ...body, preview }, {}, "PUT"),
        changes: 1,
        after: 30,
      };
    },
  },
  {
    name: "the deletion of a post",
    prepare: async (caller) => {
      const [{ id }, other] = [await postIn("pending"), await postIn("pending")];
      return {
        state: () => existing([id]),
        preview: { action: "delete_post", body: { id } },
        other: { id: other.id },
        act: (preview) =>
          caller.post(deletePost, `posts/${id}?${query(preview)}`, undefined, { id: String(id) }, "DELETE"),
        changes: 1,
        after: [],
      };
    },
  },
  {
    name: "the deletion of a stream",
    prepare: async (caller) => {
      const [{ id }, other] = [await makeStream(), await makeStream()];
      const post = await makePost({ stream_id: id });
      return {
        state: async () => ({
          streams: await db.stream.count({ where: { id } }),
          posts: await existing([post.id]),
        }),
        preview: { action: "delete_stream", body: { id } },
        other: { id: other.id },
        act: (preview) =>
          caller.post(
            deleteStream,
            `streams/${id}?${query(preview)}`,
            undefined,
            { id: String(id) },
            "DELETE",
          ),
        changes: 2,
        after: { streams: 0, posts: [post.id] },
      };
    },
  },
];
