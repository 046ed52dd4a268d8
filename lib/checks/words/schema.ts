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

export const ClassifyWordCreate = z
  .object({
    word: text(100, 1).meta({ description: "Word or phrase.", example: "giveaway" }),
    stream_id: bodyId.nullable().optional().describe("Id of the stream; null for none."),
  })
  .meta({ id: "ClassifyWordCreate", example: { word: "free crypto", stream_id: null } });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;
