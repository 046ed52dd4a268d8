import { z } from "zod";
import { blockKinds } from "#lib/filters/schema.ts";
import { bodyId, isoTime, text } from "#lib/http/fields.ts";

export const BlockSuggestionCreate = z
  .object({
    kind: z.enum(blockKinds),
    name: text(500, 1).meta({ description: "`@user@host`, or a hashtag." }),
    reason: text(500, 1),
    post_id: bodyId.optional().meta({ description: "The post that gave the reason." }),
  })
  .meta({
    id: "BlockSuggestionCreate",
    example: { kind: "user", name: "@spammer@example.social", reason: "Only adverts", post_id: 42 },
  });
export type BlockSuggestionCreate = z.output<typeof BlockSuggestionCreate>;

export const BlockSuggestion = z
  .object({
    id: z.int(),
    kind: z.enum(blockKinds),
    name: z.string(),
    reason: z.string().meta({ description: "Empty after the content of the post was deleted." }),
    post_id: z.int().nullable(),
    suggested_by: z.string(),
    created_at: isoTime,
  })
  .meta({
    id: "BlockSuggestion",
    example: {
      id: 3,
      kind: "user",
      name: "@spammer@example.social",
      reason: "Only adverts",
      post_id: 42,
      suggested_by: "Rita",
      created_at: "2026-05-04T12:00:00.000Z",
    },
  });
export type BlockSuggestion = z.infer<typeof BlockSuggestion>;

export const BlockSuggestionList = z
  .object({ items: z.array(BlockSuggestion).meta({ description: "The 100 oldest." }), total: z.int() })
  .meta({ id: "BlockSuggestionList" });
export type BlockSuggestionList = z.infer<typeof BlockSuggestionList>;
