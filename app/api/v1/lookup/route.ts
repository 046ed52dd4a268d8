import { ok, operation, routes } from "#lib/http/route.ts";
import { lookUpAddress } from "#lib/posts/look-up-address.ts";
import { Lookup, LookupQuery } from "#lib/posts/lookup-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/lookup", {
  GET: operation({
    id: "lookUpAddress",
    summary: "Find a post or an author by address",
    description:
      "Accepts the address of a post or profile on any server. Always answers 200; null means that nothing is stored.",
    tag: "Posts",
    scope: "read",
    query: LookupQuery,
    responses: { 200: Lookup },
    handle: async ({ query }) => ok(await lookUpAddress(query.address)),
  }),
});
