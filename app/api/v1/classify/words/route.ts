import { z } from "zod";
import { created, ok, operation, routes } from "#lib/accounts/route.ts";
import { ClassifyWord, ClassifyWordCreate, WordEffect } from "#lib/checks/words/schema.ts";
import { addWord, listWords, previewWord } from "#lib/checks/words/word-list.ts";

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
    description:
      "Whole words in any letter case, no patterns; for one stream or for all. Unreviewed posts that have the word are " +
      "checked again.",
    tag,
    scope: "manage",
    dryRun: "Return the number of unreviewed posts that have the word without adding it.",
    body: ClassifyWordCreate,
    responses: { 200: WordEffect, 201: ClassifyWord },
    errors: ["classify_word_exists"],
    handle: async ({ principal, body, dryRun }) =>
      dryRun ? ok(await previewWord(body)) : created(await addWord(principal, body)),
  }),
});
