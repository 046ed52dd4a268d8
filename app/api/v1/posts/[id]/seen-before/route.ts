import { ok, operation, routes } from "#lib/http/route.ts";
import { findSeenBefore } from "#lib/media/find-seen-before.ts";
import { SeenBefore } from "#lib/media/seen-schema.ts";
import { unknownPost } from "#lib/review/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/seen-before", {
  GET: operation({
    summary: "Find posts that had the same picture before",
    description:
      "Compares what the post's pictures look like with the 50 000 that were met last before them; of posts whose pictures came in at about the same time, the one written earlier had it first. Re-encoded, resized and slightly cropped copies are found, mirrored ones are not.",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    notFound: unknownPost,
    responses: { 200: SeenBefore },
    errors: ["post_not_found"],
    handle: async ({ params }) => ok(await findSeenBefore(params.id)),
  }),
});
