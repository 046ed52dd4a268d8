import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { stringField, text } from "#lib/base/http/fields.ts";

export const ClassifyWord = z
  .object({
    id: common.id,
    word: stringField("Word or phrase.", "giveaway"),
    created_at: common.created_at,
  })
  .meta({ id: "ClassifyWord" });
export type ClassifyWord = z.infer<typeof ClassifyWord>;

export const WordEffect = z
  .object({
    waiting: z.int().describe("Unreviewed posts that have the word."),
    complete: z
      .boolean()
      .describe("False when only the newest 20 000 posts that the search finds were read."),
  })
  .meta({ id: "WordEffect", example: { waiting: 3, complete: true } });
export type WordEffect = z.infer<typeof WordEffect>;

export const ClassifyWordCreate = z
  .object({
    word: text(100, 1).meta({ description: "Word or phrase.", example: "giveaway" }),
  })
  .meta({ id: "ClassifyWordCreate", example: { word: "free crypto" } });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;
