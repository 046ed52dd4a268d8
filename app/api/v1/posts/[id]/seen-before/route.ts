import { ok, operation, routes } from "#lib/http/route.ts";
import { findSeenBefore } from "#lib/media/find-seen-before.ts";
import { SeenBefore } from "#lib/media/seen-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/seen-before", {
  GET: operation({
    id: "listSeenBefore",
    summary: "Find posts that had the same picture before",
    description:
      "Compares the post's pictures with the 50 000 newest pictures that were downloaded before them. Of pictures downloaded at about the same time, the one of the older post is the earlier one. Finds re-encoded, resized and slightly cropped copies, but not mirrored ones.",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    responses: { 200: SeenBefore },
    errors: ["post_not_found"],
    handle: async ({ params }) => ok(await findSeenBefore(params.id)),
  }),
});
