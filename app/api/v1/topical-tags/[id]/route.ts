import { noContent, ok, operation, routes } from "#lib/accounts/route.ts";
import { TopicalTag, TopicalTagUpdate } from "#lib/queue/topical-schema.ts";
import { deleteTopicalTag, updateTopicalTag } from "#lib/queue/topical-tags.ts";

const one = {
  tag: "Topical",
  scope: "manage",
  ids: ["id"],
} as const;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/topical-tags/{id}", {
  PATCH: operation({
    id: "updateTopicalTag",
    ...one,
    summary: "Change the days of a topical rule",
    description:
      "Changes days only. Omitted days do not change; null removes a day. At least one day is required.",
    body: TopicalTagUpdate,
    responses: { 200: TopicalTag },
    errors: ["topical_tag_not_found"],
    handle: async ({ principal, params, body }) => ok(await updateTopicalTag(principal, params.id, body)),
  }),
  DELETE: operation({
    id: "deleteTopicalTag",
    ...one,
    summary: "Delete a topical rule",
    responses: { 204: null },
    errors: ["topical_tag_not_found"],
    handle: async ({ principal, params }) => {
      await deleteTopicalTag(principal, params.id);
      return noContent();
    },
  }),
});
