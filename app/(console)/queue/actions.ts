"use server";
import { z } from "zod";
import { plural } from "#components/format.ts";
import { formAction, formId as id } from "#lib/accounts/form-action.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { formText } from "#lib/client/form-text.ts";
import { updateSettings } from "#lib/blocking/switches.ts";
import { cleanupDelivered, countDelivered } from "#lib/queue/cleanup-delivered.ts";
import { requeueErrors } from "#lib/queue/error-groups.ts";
import { moveEntry } from "#lib/queue/move-entry.ts";
import { ErrorGroup } from "#lib/queue/schema.ts";
import { TopicalTagCreate } from "#lib/queue/topical-schema.ts";
import { createTopicalTag, deleteTopicalTag } from "#lib/queue/topical-tags.ts";
import { planTrim, trimPending } from "#lib/queue/trim-pending.ts";
import { dismissErrors } from "#lib/review/failed-posts.ts";
import { reviewPost } from "#lib/review/review-post.ts";

const post = z.object({ id });

const requeued = (count: number) => `${plural(count, "post", "posts")} requeued`;
const rejected = (count: number) => `${plural(count, "post", "posts")} rejected`;

export const pauseDeliveries = formAction({
  scope: "manage",
  body: z.object({ on: z.boolean() }),
  run: async (me, { on }) => {
    await updateSettings(me, { deliveries_paused: on });
    return on ? "Deliveries are paused" : "Deliveries go on";
  },
});

export const requeue = formAction({
  scope: "manage",
  body: post,
  run: async (me, { id: postId }) => {
    await moveEntry(me, postId, String(postId), "requeue");
    return requeued(1);
  },
});

export const markDelivered = formAction({
  scope: "review",
  body: post,
  run: async (me, { id: postId }) => {
    await moveEntry(me, postId, String(postId), "mark_delivered");
    return "Marked as delivered";
  },
});

export const reject = formAction({
  scope: "review",
  body: post,
  run: async (me, { id: postId }) => {
    await reviewPost(me, postId, { approved: false });
    return rejected(1);
  },
});

export const requeueGroup = formAction({
  scope: "manage",
  body: ErrorGroup,
  run: async (me, body) => requeued((await requeueErrors(me, body)).changed),
});

export const rejectGroup = formAction({
  scope: "manage",
  body: ErrorGroup,
  run: async (me, body) => rejected((await dismissErrors(me, body)).changed),
});

const deletions = {
  cleanup: {
    count: countDelivered,
    remove: (me: Actor, days: number, as_of: Date) => cleanupDelivered(me, days, { as_of }),
  },
  trim: { count: planTrim, remove: trimPending },
};

/** Without `as_of` it only counts. With the time of a count it deletes exactly what was counted. */
export const deletePosts = formAction({
  scope: "manage",
  body: z.object({
    what: z.enum(["cleanup", "trim"]),
    days: z.coerce.number().int().min(0),
    as_of: z.coerce.date().optional(),
  }),
  // An empty field is not 0.
  read: (form) => ({ what: form.get("what"), days: form.get("days") || undefined }),
  run: async (me, { what, days, as_of }) => {
    const { count, remove } = deletions[what];
    if (as_of === undefined) {
      const counted: { would_delete: number; as_of: string; pending?: number } = await count(days);
      return { message: "", result: { days, ...counted } };
    }
    return `${plural((await remove(me, days, as_of)).deleted, "post", "posts")} deleted`;
  },
});

export const addTopicalTag = formAction({
  scope: "manage",
  body: TopicalTagCreate,
  // Empty fields are no days.
  read: (form) => ({
    hashtag: form.get("hashtag"),
    topical_day_of_week: form.get("topical_day_of_week") || null,
    topical_month_day: formText(form, "topical_month_day") || null,
  }),
  run: async (me, body) => `Rule for #${(await createTopicalTag(me, body)).hashtag} added`,
});

export const removeTopicalTag = formAction({
  scope: "manage",
  body: z.object({ id, hashtag: z.string() }),
  run: async (me, body) => {
    await deleteTopicalTag(me, body.id);
    return `Rule for #${body.hashtag} removed`;
  },
});
