import { z } from "zod";
import { bodyId, isoTime, text } from "#lib/http/fields.ts";

export const ClassifyWord = z
  .object({
    id: z.int(),
    word: z.string(),
    stream_id: z.int().nullable().meta({ description: "Null when it applies to every stream." }),
    created_at: isoTime,
  })
  .meta({ id: "ClassifyWord" });
export type ClassifyWord = z.infer<typeof ClassifyWord>;

export const ClassifyWordCreate = z
  .object({ word: text(100, 1), stream_id: bodyId.nullable().optional() })
  .meta({ id: "ClassifyWordCreate", example: { word: "free crypto", stream_id: null } });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;
