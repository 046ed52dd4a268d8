"use server";
import { z } from "zod";
import { handedOutError } from "#components/words.ts";
import { updateProfile } from "#lib/accounts/profile.ts";
import { formAction, formId as id } from "#lib/accounts/form-action.ts";
import { ApiError } from "#lib/base/errors.ts";
import { formText } from "#lib/client/form-text.ts";
import { batchScore } from "#lib/checks/score/classify-posts.ts";
import { PostChange } from "#lib/review/change-schema.ts";
import { deletePost } from "#lib/review/delete-post.ts";
import { reviewPost } from "#lib/review/review-post.ts";

const verdicts = {
  approve: { approved: true, message: "Post approved" },
  reject: { approved: false, message: "Post rejected" },
  unreview: { approved: null, message: "Post is unreviewed again" },
} as const;

export const decide = formAction({
  scope: "review",
  body: z.object({
    id,
    version: z.coerce.number().int(),
    verdict: z.enum(["approve", "reject", "unreview"]),
  }),
  run: async (me, { id: post, version, verdict }) => {
    const { approved, message } = verdicts[verdict];
    try {
      await reviewPost(me, post, { approved, version });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "wrong_state") throw error;
      throw new ApiError("bad_request", {
        message: handedOutError,
      });
    }
    return message;
  },
});

export const saveNote = formAction({
  scope: "review",
  body: z.object({ id, reviewer_notes: PostChange.shape.reviewer_notes }),
  read: (form) => ({ id: form.get("id"), reviewer_notes: formText(form, "reviewer_notes") || null }),
  run: async (me, { id: post, reviewer_notes }) => {
    await reviewPost(me, post, { reviewer_notes });
    return "Saved";
  },
});

export const removePost = formAction({
  scope: "manage",
  body: z.object({ id }),
  run: async (me, body) => {
    await deletePost(me, body.id);
    return { message: "Post deleted", leaveTo: "/posts" };
  },
});

export const checkAgain = formAction({
  scope: "review",
  body: z.object({ id }),
  run: async (_me, body) => {
    const { queued } = await batchScore([body.id]);
    return queued > 0 ? "Checked again. Pictures are checked in the background." : "Checked again";
  },
});

/** Replaces all saved filters of the member. */
export const saveFilters = formAction({
  scope: "read",
  body: z.object({
    saved_filters: z.array(z.object({ name: z.string().max(80), query: z.string().max(4000) })).max(100),
  }),
  run: async (me, preferences) => {
    await updateProfile(me, { preferences });
    return "Saved filters changed";
  },
});
