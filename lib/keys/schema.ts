import { z } from "zod";
import { scopes } from "#lib/auth/permissions.ts";
import { definitionOf, type FigureName } from "#lib/figures-schema.ts";
import { bodyId, isoTime, queryInteger, queryTime, text } from "#lib/http/fields.ts";
import { UpcomingPost } from "#lib/posts/upcoming-schema.ts";

const ScopeName = z.enum(scopes).meta({ id: "Scope" });

const example = {
  id: 4,
  name: "Boost bot",
  prefix: "slc_",
  last_characters: "x7Qk",
  scopes: ["consume" as const],
  stream_ids: [],
  learn: true,
  created_by: "Ana",
  created_at: "2026-05-04T18:02:11.000Z",
  expires_at: null,
  last_used_at: "2026-05-04T19:40:11.120Z",
};

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    prefix: z.string(),
    last_characters: z.string(),
    scopes: z.array(ScopeName),
    stream_ids: z
      .array(z.int())
      .meta({ description: "Ids of the streams that the key is bound to; empty for every stream." }),
    learn: z.boolean().meta({ description: "The checks learn from reviews with this key." }),
    created_by: z.string().meta({ description: "Name of the member whose rights the key has." }),
    created_at: isoTime,
    expires_at: isoTime.nullable(),
    last_used_at: isoTime.nullable(),
  })
  .meta({ id: "ApiKey", example });
export type ApiKey = z.infer<typeof ApiKey>;

export const KeyStatus = z
  .object({ api_key_set: z.boolean(), message: z.string(), keys: z.array(ApiKey) })
  .meta({ id: "ApiKeyStatus", example: { api_key_set: true, message: "1 active API key", keys: [example] } });
export type KeyStatus = z.infer<typeof KeyStatus>;

export const KeyGenerate = z
  .object({
    name: z
      .string()
      .trim()
      .pipe(text(100, 1))
      .meta({ override: { type: "string", minLength: 1, maxLength: 100 } })
      .optional(),
    scopes: z.array(ScopeName).min(1, "must name at least one scope").max(100).optional().meta({
      description: "Default: the caller's scopes without `keys`. Never more than the caller's scopes.",
    }),
    stream_ids: z.array(bodyId).max(1000).optional().meta({ description: "Binds the key to these streams." }),
    expires_at: queryTime("A time in the future.").nullish(),
    learn: z.boolean().optional().meta({
      description:
        "False keeps reviews with this key out of learning, as for a script that repeats the advice of the checks. Default: true.",
    }),
  })
  .meta({ id: "ApiKeyGenerate", example: { name: "Boost bot", scopes: ["consume"] } });
export type KeyGenerate = z.output<typeof KeyGenerate>;

export const GeneratedKey = ApiKey.extend({
  api_key: z.string().meta({ description: "The key in plain text; not shown again." }),
}).meta({ id: "GeneratedApiKey", example: { ...example, api_key: "slc_3q2-7w…x7Qk", last_used_at: null } });
export type GeneratedKey = z.infer<typeof GeneratedKey>;

export const KeyUpdate = z
  .object({ learn: z.boolean() })
  .meta({ id: "ApiKeyUpdate", example: { learn: false } });

export const KeyRevoke = z
  .object({
    id: z.int().positive().optional().meta({ description: "Optional when there is only one active key." }),
  })
  .meta({ id: "ApiKeyRevoke", example: { id: 4 } });

export const Revoked = z
  .object({ revoked: z.int(), api_key_set: z.boolean() })
  .meta({ id: "ApiKeyRevoked", example: { revoked: 1, api_key_set: false } });
export type Revoked = z.infer<typeof Revoked>;

export const KeyFiguresQuery = z.object({
  days: queryInteger(1, 92, "UTC days, today included.").optional().default(30),
});

const share = (name: FigureName) =>
  z
    .number()
    .nullable()
    .meta({ description: `${definitionOf(name)} Null without any.` });

export const KeyFigures = z
  .object({
    key: ApiKey.meta({ description: "The key." }),
    totals: z
      .object({
        reservations: z.int().meta({ description: "Reservations that ended in these days." }),
        delivered: z.int(),
        nacks: z.int(),
        errors: z.int().meta({ description: "Posts that it reported as unusable." }),
        timeouts: z.int(),
        error_share: share("key_error_share"),
        nack_share: share("key_nack_share"),
        timeout_share: share("key_timeout_share"),
      })
      .meta({ description: "How reservations of the key ended." }),
    days: z.array(
      z.object({
        date: z.string().meta({ example: "2026-05-04" }),
        delivered: z.int(),
        nacks: z.int(),
        errors: z.int().meta({ description: "Posts that it reported as unusable." }),
        timeouts: z.int(),
      }),
    ),
    feeds: z
      .object({
        json: z.string().meta({
          description: "Path of the JSON Feed.",
          example: "/api/v1/feeds/4/delivered.json?token=k3…",
        }),
        rss: z
          .string()
          .meta({ description: "Path of the RSS feed.", example: "/api/v1/feeds/4/delivered.rss?token=k3…" }),
      })
      .nullable()
      .meta({
        description:
          "Feeds of the posts that it delivered. Anyone with the path can read them. Null for a key of another member.",
      }),
    holds: z.array(UpcomingPost).meta({ description: "Posts that it holds now, at most 20." }),
    next: z
      .array(UpcomingPost)
      .meta({ description: "The oldest posts that it would get next; empty without the scope `consume`." }),
  })
  .meta({ id: "ApiKeyFigures" });
export type KeyFigures = z.infer<typeof KeyFigures>;
