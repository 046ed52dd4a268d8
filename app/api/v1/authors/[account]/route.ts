import { ok, operation, routes } from "#lib/http/route.ts";
import { getAuthor, setStanding } from "#lib/review/authors.ts";
import { Author, StandingChange } from "#lib/review/author-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/authors/{account}", {
  GET: operation({
    id: "getAuthor",
    summary: "Get an author's history",
    description:
      "`account` is `@user@host`. Counts, last decisions and standing; the counts of an unknown author are 0.",
    tag: "Review",
    scope: "read",
    responses: { 200: Author },
    errors: ["author_not_found"],
    handle: async ({ raw }) => ok(await getAuthor(raw.account ?? "")),
  }),
  PUT: operation({
    id: "setAuthorStanding",
    summary: "Set an author's standing",
    description: "A blocked author cannot be trusted. Blocking a trusted author ends the trust.",
    tag: "Review",
    scope: "manage",
    body: StandingChange,
    responses: { 200: Author },
    errors: ["author_not_found", "author_blocked"],
    handle: async ({ principal, raw, body }) =>
      ok(await setStanding(principal, raw.account ?? "", body.standing)),
  }),
});
