import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { bodyId, isoTime, queryTime, stringField, text } from "#lib/base/http/fields.ts";
import { scopes } from "#lib/base/http/permissions.ts";

const apiKeySetField = z.boolean().describe("Whether an active key exists.");

const ScopeName = z.enum(scopes).meta({ id: "Scope" });

export const ApiKey = z
  .object({
    id: common.id,
    name: common.name,
    prefix: stringField("First characters of every key.", "slc_"),
    last_characters: stringField("Last characters of the key, to recognise it.", "x7Qk"),
    scopes: z.array(ScopeName).describe("Permissions of the key."),
    stream_ids: z
      .array(z.int())
      .describe("Streams that `GET /curated/next` chooses from; empty for every stream."),
    created_by: stringField("Name of the member whose rights the key has.", "Ana"),
    created_at: common.created_at,
    expires_at: isoTime.nullable().describe("When it stops working; null for never."),
    last_used_at: isoTime.nullable().describe("Latest use, to the minute; null for never."),
    last_asked_at: isoTime.nullable().describe("Latest `GET /curated/next`, to the minute; null for never."),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

export const KeyStatus = z
  .object({
    api_key_set: apiKeySetField,
    message: common.message,
    keys: z.array(ApiKey).describe("Keys, newest first."),
  })
  .meta({ id: "ApiKeyStatus" });
export type KeyStatus = z.infer<typeof KeyStatus>;

export const KeyGenerate = z
  .object({
    name: z
      .string()
      .trim()
      .pipe(text(100, 1))
      .meta({ override: { type: "string", minLength: 1, maxLength: 100 } })
      .optional()
      .meta({ description: "Name.", example: "Boost bot" }),
    scopes: z
      .array(ScopeName)
      .min(1, "must name at least one scope")
      .max(100)
      .optional()
      .describe("Default: the caller's scopes without `keys`. Never more than the caller's scopes."),
    stream_ids: z
      .array(bodyId)
      .max(1000)
      .optional()
      .describe("Streams that `GET /curated/next` chooses from; none for every stream."),
    expires_at: queryTime("A time in the future.")
      .nullish()
      .describe("When it stops working; null for never."),
  })
  .meta({ id: "ApiKeyGenerate", example: { name: "Boost bot", scopes: ["consume"] } });
export type KeyGenerate = z.output<typeof KeyGenerate>;

export const GeneratedKey = ApiKey.extend({
  api_key: stringField("The key in plain text; not shown again.", "slc_3q2-7w…x7Qk"),
}).meta({ id: "GeneratedApiKey" });
export type GeneratedKey = z.infer<typeof GeneratedKey>;

export const KeyRevoke = z
  .object({
    id: z
      .int()
      .positive()
      .optional()
      .meta({ description: "Optional when there is only one active key.", example: 4 }),
  })
  .meta({ id: "ApiKeyRevoke", example: { id: 4 } });

export const Revoked = z
  .object({ revoked: z.int().describe("Keys that were revoked."), api_key_set: apiKeySetField })
  .meta({ id: "ApiKeyRevoked" });
export type Revoked = z.infer<typeof Revoked>;
