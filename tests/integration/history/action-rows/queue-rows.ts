import { POST as postDismiss } from "#app/api/v1/curated/errors/dismiss/route.ts";
import { POST as postRequeueGroup } from "#app/api/v1/curated/errors/requeue/route.ts";
import { PUT as putSettings } from "#app/api/v1/reblog-controls/settings/route.ts";
import { PATCH as patchStream } from "#app/api/v1/streams/[id]/route.ts";
import { DELETE as deleteTag, PATCH as patchTag } from "#app/api/v1/topical-tags/[id]/route.ts";
import { POST as postTag } from "#app/api/v1/topical-tags/route.ts";
import { db } from "#lib/db.ts";
import { postIn } from "#tests/integration/posts/post-calls.ts";
import { handlers } from "#tests/integration/queue/moves.ts";
import { makeStream, unique } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import type { ActionRow } from "./action-row.ts";
import { postStates } from "./review-rows.ts";

async function failed(reason: string): Promise<number> {
  const { id } = await postIn("error");
  const error = { error_reason: reason, error_details: { status: 404 }, lease_label: "Boost bot" };
  await db.queue_entry.update({ where: { post_id: id }, data: { ...error, deliveries: 2, nacks: 1 } });
  return id;
}

/** Figures of deliveries and errors of all time, stored or not yet added up. */
const figures = () => Promise.all([sumsOf("level"), sumsOf("all")]);

export const queueRows: ActionRow[] = [
  {
    name: "a change of a stream's switches and lists",
    prepare: async (caller) => {
      const { id } = await makeStream({ languages: ["de"] });
      const body = { active: false, require_media: true, languages: ["en", "ja"] };
      return {
        state: async () => {
          const {
            updated_at: _,
            next_scheduled_fetch: __,
            ...settings
          } = await db.stream.findUniqueOrThrow({
            where: { id },
          });
          return settings;
        },
        act: () => caller.post(patchStream, `streams/${id}`, body, { id: String(id) }, "PATCH"),
        changes: 3,
        again: 200,
      };
    },
  },
  ...(["requeue", "dismiss"] as const).map((change): ActionRow => ({
    name: `the ${change} of a group of failed posts`,
    prepare: async (caller) => {
      const reason = `reason ${unique()}`;
      const ids = [await failed(reason), await failed(reason)];
      const body = { reason, limit: 100 };
      const handler = change === "requeue" ? postRequeueGroup : postDismiss;
      return {
        state: async () => ({ ...(await postStates(ids)), figures: await figures() }),
        preview: { action: change, body },
        appear: async () => ids.push(await failed(reason)),
        act: (preview) => caller.post(handler, `curated/errors/${change}`, { ...body, preview }),
        changes: 2,
      };
    },
  })),
  ...(["requeue", "mark-delivered"] as const).map((verb): ActionRow => ({
    name: `the ${verb} of one failed post`,
    prepare: async (caller) => {
      const id = await failed(`reason ${unique()}`);
      return {
        state: async () => ({ ...(await postStates([id])), figures: await figures() }),
        act: () => caller.post(handlers[verb], `curated/${id}/${verb}`, undefined, { post_id: String(id) }),
        changes: 1,
      };
    },
  })),
  ...(["addition", "change", "removal"] as const).map((change): ActionRow => ({
    name: `the ${change} of a topical rule`,
    prepare: async (caller) => {
      const hashtag = `t${unique()}`;
      const body = { hashtag, topical_day_of_week: "Monday" };
      if (change !== "addition") await caller.post(postTag, "topical-tags", body);
      await db.change.deleteMany();
      const where = { hashtag };
      const { id } = (await db.topical_tag.findFirst({ where })) ?? { id: 0 };
      const params = { id: String(id) };
      const acts = {
        addition: () => caller.post(postTag, "topical-tags", body),
        change: () =>
          caller.post(patchTag, `topical-tags/${id}`, { topical_month_day: "10-04" }, params, "PATCH"),
        removal: () => caller.post(deleteTag, `topical-tags/${id}`, undefined, params, "DELETE"),
      };
      return {
        state: async () => {
          const row = await db.topical_tag.findFirst({ where });
          return row && { ...row, created_at: null };
        },
        act: acts[change],
        changes: 1,
        again: { addition: 409, change: 200, removal: 404 }[change],
      };
    },
  })),
  {
    name: "a change of the export switches",
    prepare: (caller) => {
      const body = { require_media: true, auto_reject_blocked_users: false };
      return Promise.resolve({
        preview: { action: "settings", body },
        state: async () => {
          const { updated_at: _, ...switches } = await db.export_setting.findFirstOrThrow();
          return switches;
        },
        act: (preview) =>
          caller.post(putSettings, "reblog-controls/settings", { ...body, preview }, {}, "PUT"),
        changes: 2,
      });
    },
  },
];
