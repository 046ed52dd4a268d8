import { noContent, ok, operation, routes } from "#lib/accounts/route.ts";
import { Deck, DeckQuery } from "#lib/review/deck-schema.ts";
import { emptyDeck, getDeck, releaseDeck } from "#lib/review/deck.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/deck", {
  GET: operation({
    id: "getCards",
    summary: "Get cards to review",
    description:
      "Leases up to `count` unreviewed posts for ten minutes. Cards already leased to the caller come first; nobody else is " +
      "given them meanwhile. Posts you skipped come last.",
    tag: "Review",
    scope: "review",
    // A GET that leases posts needs the same-origin check.
    changes: true,
    query: DeckQuery,
    responses: { 200: Deck },
    // The automatic HEAD must not lease cards.
    handle: async ({ principal, query, request }) =>
      ok(request.method === "HEAD" ? emptyDeck : await getDeck(principal, query)),
  }),
  DELETE: operation({
    id: "releaseCards",
    summary: "Release cards",
    description: "Ends all leases of the caller.",
    tag: "Review",
    scope: "review",
    responses: { 204: null },
    handle: async ({ principal }) => {
      await releaseDeck(principal);
      return noContent();
    },
  }),
});
