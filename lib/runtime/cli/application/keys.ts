import { generateKey } from "#lib/accounts/api-keys.ts";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { KeyGenerate } from "#lib/accounts/key-schema.ts";
import { findMember } from "./accounts.ts";
import { type ApplicationCommand, parseOptions } from "./reply.ts";

export const keyCommands: Record<string, ApplicationCommand> = {
  "create-key": async ({ values }) => {
    const member = await findMember(values.email ?? "");
    const body = parseOptions(KeyGenerate, {
      name: values.name,
      scopes: entriesOf(values.scopes),
      stream_ids: values.streams === undefined ? undefined : entriesOf(values.streams).map(Number),
      expires_at: values.expires,
    });
    const key = await generateKey(principalOfMember(member, null), body);
    const lines = [`API key "${key.name}" (${key.scopes.join(", ")}), shown only once: ${key.api_key}`];
    return { data: key, lines };
  },
};

function entriesOf(value = ""): string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}
