import { created, ok, operation } from "#lib/http/route.ts";
import { generateKey } from "./generate-key.ts";
import { keyStatus } from "./key-status.ts";
import { revokeKey } from "./revoke-key.ts";
import { GeneratedKey, KeyGenerate, KeyRevoke, KeyStatus, Revoked } from "./schema.ts";

const tag = "API keys";

export const statusOperation = operation({
  summary: "List API keys",
  description: "Members see their own, admins everybody's. Expired keys are listed, revoked ones are not.",
  tag,
  scope: "read",
  responses: { 200: KeyStatus },
  handle: async ({ principal }) => ok(await keyStatus(principal)),
});

export const generateOperation = operation({
  summary: "Generate an API key",
  description: "The answer is the only place where the key is shown. A key never makes a stronger key.",
  tag,
  scope: "keys",
  boundKeys: "own",
  body: KeyGenerate,
  bodyOptional: true,
  responses: { 201: GeneratedKey },
  errors: ["key_streams_exceeded"],
  handle: async ({ principal, body }) => created(await generateKey(principal, body)),
});

export const revokeOperation = operation({
  summary: "Revoke an API key",
  description: "Acts on its next request. Without a body it revokes the only active key.",
  tag,
  scope: "keys",
  boundKeys: "own",
  body: KeyRevoke,
  bodyOptional: true,
  responses: { 200: Revoked },
  errors: ["api_key_not_found", "several_keys"],
  handle: async ({ principal, body }) => ok(await revokeKey(principal, body.id)),
});
