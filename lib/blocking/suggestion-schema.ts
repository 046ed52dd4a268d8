import { z } from "zod";
import { blockKinds } from "#lib/filters/schema.ts";
import { common } from "#lib/http/common-fields.ts";
import { bodyId, stringField, text } from "#lib/http/fields.ts";

export const BlockSuggestionCreate = z
  .object({
    kind: z.enum(blockKinds).describe("Kind of entry."),
    name: text(500, 1).meta({
      description:
        "`@user@host`, a domain such as `spam.example` with its subdomains (kind `user`), or a hashtag.",
      example: "@spam@mastodon.example",
    }),
    reason: text(500, 1).meta({
      description: "Reason, in a fixed form so that equal ones can be grouped.",
      example: "Status not found on fediverse",
    }),
    post_id: bodyId.optional().meta({ description: "The post that gave the reason.", example: 42 }),
  })
  .meta({
    id: "BlockSuggestionCreate",
    example: { kind: "user", name: "@spammer@example.social", reason: "Only adverts", post_id: 42 },
  });
export type BlockSuggestionCreate = z.output<typeof BlockSuggestionCreate>;

export const BlockSuggestion = z
  .object({
    id: common.id,
    kind: z.enum(blockKinds).describe("Kind of entry."),
    name: common.name,
    reason: stringField("Empty after the content of the post was deleted.", "Status not found on fediverse"),
    post_id: z.int().nullable().meta({
      description: "Id of the post: `id` in `GET /posts`, `fenliu_post_id` in the queue.",
      example: 42,
    }),
    suggested_by: stringField("Name of the member who suggested it.", "Rita"),
    created_at: common.created_at,
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
  .object({ items: z.array(BlockSuggestion).describe("The 100 oldest."), total: common.total })
  .meta({ id: "BlockSuggestionList" });
export type BlockSuggestionList = z.infer<typeof BlockSuggestionList>;
