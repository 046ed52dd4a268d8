import {
  BlockSuggestion,
  BlockSuggestionCreate,
  BlockSuggestionList,
} from "#lib/blocking/suggestion-schema.ts";
import { listSuggestions, suggestBlock } from "#lib/blocking/suggestions.ts";
import { created, ok, operation, routes } from "#lib/http/route.ts";

const tag = "Blocking";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/block-suggestions", {
  GET: operation({
    id: "listBlockSuggestions",
    summary: "List suggested blocks",
    description: "Open ones. A block of the same account or hashtag accepts a suggestion.",
    tag,
    scope: "read",
    responses: { 200: BlockSuggestionList },
    handle: async () => ok(await listSuggestions()),
  }),
  POST: operation({
    id: "suggestBlock",
    summary: "Suggest a block",
    description: "For reviewers, who may not block. Nothing is held or rejected by it.",
    tag,
    scope: "review",
    body: BlockSuggestionCreate,
    responses: { 201: BlockSuggestion },
    errors: [
      "suggestion_exists",
      "pattern_exists",
      "hashtag_blocked_already",
      "post_not_found",
      "post_erased",
    ],
    handle: async ({ principal, body }) => created(await suggestBlock(principal, body)),
  }),
});
