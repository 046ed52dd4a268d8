import { noContent, operation, routes } from "#lib/accounts/route.ts";
import { removeWord } from "#lib/checks/words/word-list.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/classify/words/{id}", {
  DELETE: operation({
    id: "removeWord",
    summary: "Remove a word",
    tag: "Checks",
    scope: "manage",
    ids: ["id"],
    responses: { 204: null },
    errors: ["classify_word_not_found"],
    handle: async ({ principal, params }) => {
      await removeWord(principal, params.id);
      return noContent();
    },
  }),
});
