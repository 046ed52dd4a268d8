import type { z } from "zod";
import { Checks } from "#lib/checks/score/schema.ts";
import { SeenBefore } from "#lib/media/schema.ts";
import { PostDetail } from "./post-schema.ts";

/** `GET /posts/{id}`. */
export const ShownPost = PostDetail.extend({ ...Checks.shape, seen_before: SeenBefore }).meta({
  id: "ShownPost",
});
export type ShownPost = z.infer<typeof ShownPost>;
