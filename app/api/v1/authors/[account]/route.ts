import { ok, operation, routes } from "#lib/accounts/route.ts";
import { Author } from "#lib/review/author-schema.ts";
import { getAuthor } from "#lib/review/authors.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/authors/{account}", {
  GET: operation({
    id: "getAuthor",
    summary: "Get an author's history",
    description:
      "`account` is `@user@host`. Counts of stored posts and decisions, and the blocks that match; the counts of an unknown author are 0.",
    tag: "Review",
    scope: "read",
    responses: { 200: Author },
    errors: ["author_not_found"],
    handle: async ({ raw }) => ok(await getAuthor(raw.account ?? "")),
  }),
});
