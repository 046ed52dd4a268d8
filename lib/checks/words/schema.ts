import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { bodyId, stringField, text } from "#lib/http/fields.ts";

export const ClassifyWord = z
  .object({
    id: common.id,
    word: stringField("Word or phrase.", "giveaway"),
    stream_id: z.int().nullable().meta({ description: "Null when it applies to every stream.", example: 2 }),
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
    stream_id: bodyId.nullable().optional().describe("Id of the stream; null for none."),
  })
  .meta({ id: "ClassifyWordCreate", example: { word: "free crypto", stream_id: null } });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;
