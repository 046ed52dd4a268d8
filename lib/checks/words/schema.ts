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

export const ClassifyWordCreate = z
  .object({
    word: text(100, 1).meta({ description: "Word or phrase.", example: "giveaway" }),
  })
  .meta({ id: "ClassifyWordCreate", example: { word: "free crypto" } });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;
