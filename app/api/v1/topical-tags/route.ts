import { z } from "zod";
import { created, ok, operation, routes } from "#lib/accounts/route.ts";
import { TopicalTag, TopicalTagCreate } from "#lib/queue/topical-schema.ts";
import { createTopicalTag, listTopicalTags } from "#lib/queue/topical-tags.ts";

const tag = "Topical";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/topical-tags", {
  GET: operation({
    id: "listTopicalTags",
    summary: "List topical rules",
    description: "In order of id.",
    tag,
    scope: "read",
    responses: { 200: z.array(TopicalTag) },
    handle: async () => ok(await listTopicalTags()),
  }),
  POST: operation({
    id: "createTopicalTag",
    summary: "Add a topical rule",
    description:
      "A day of the week, a day of the year, or both; days are those of the service's time zone. On such a day " +
      "`GET /curated/next?include_topical=true` prefers posts with the hashtag.",
    tag,
    scope: "manage",
    body: TopicalTagCreate,
    responses: { 201: TopicalTag },
    errors: ["topical_tag_exists"],
    handle: async ({ principal, body }) => created(await createTopicalTag(principal, body)),
  }),
});
