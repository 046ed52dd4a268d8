import { z } from "zod";
import { created, ok, operation, routes } from "#lib/accounts/route.ts";
import { ClassifyWord, ClassifyWordCreate } from "#lib/checks/words/schema.ts";
import { addWord, listWords } from "#lib/checks/words/word-list.ts";

const tag = "Checks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/classify/words", {
  GET: operation({
    id: "listWords",
    summary: "List words of the text rules",
    tag,
    scope: "read",
    responses: { 200: z.array(ClassifyWord) },
    handle: async () => ok(await listWords()),
  }),
  POST: operation({
    id: "addWord",
    summary: "Add a word or phrase",
    description: "Whole words in any letter case, no patterns. Unreviewed posts are checked again.",
    tag,
    scope: "manage",
    body: ClassifyWordCreate,
    responses: { 201: ClassifyWord },
    errors: ["classify_word_exists"],
    handle: async ({ principal, body }) => created(await addWord(principal, body)),
  }),
});
