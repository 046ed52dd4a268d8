import { principalOfMember } from "#lib/auth/authenticate.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { generateKey, keyStatus, revokeKey, rotateKey } from "#lib/keys/api-keys.ts";
import { type GeneratedKey, KeyGenerate } from "#lib/keys/schema.ts";
import { findMember } from "./accounts.ts";
import { type ApplicationCommand, parseId, parseOptions, type Reply, table } from "./reply.ts";

export const keyCommands: Record<string, ApplicationCommand> = {
  "create-key": async ({ values }) => {
    const member = await findMember(values.email ?? "");
    const body = parseOptions(KeyGenerate, {
      name: values.name,
      scopes: entriesOf(values.scopes),
      stream_ids: values.streams === undefined ? undefined : entriesOf(values.streams).map(Number),
      expires_at: values.expires,
    });
    return shownOnce(await generateKey(principalOfMember(member, null), body));
  },
  "list-keys": async ({ values: { email } }) => {
    const { keys } = await keyStatus(
      email === undefined
        ? { scopes: ["manage"], member_id: 0 }
        : { scopes: [], member_id: (await findMember(email)).id },
    );
    const rows = keys.map((key) => [
      String(key.id),
      key.name,
      `…${key.last_characters}`,
      key.created_by,
      key.scopes.join(","),
      key.stream_ids.length === 0 ? "all" : key.stream_ids.join(","),
      key.expires_at ?? "never",
      key.last_used_at ?? "never",
    ]);
    const head = ["Id", "Name", "Key", "Member", "Scopes", "Streams", "Expires", "Last used"];
    return { data: { keys }, lines: table(head, rows) };
  },
  "revoke-key": async ({ values }) => {
    const id = parseId(values.id);
    const data = await revokeKey(await ownerOfKey(id), id);
    return { data, lines: [`The API key ${id} no longer works.`] };
  },
  "rotate-key": async ({ values }) => {
    const id = parseId(values.id);
    return shownOnce(await rotateKey(await ownerOfKey(id), id));
  },
};

function shownOnce(key: GeneratedKey): Reply {
  return {
    data: key,
    lines: [`API key "${key.name}" (${key.scopes.join(", ")}), shown only once: ${key.api_key}`],
  };
}

/** @throws ApiError `api_key_not_found` */
async function ownerOfKey(id: number): Promise<Principal> {
  const row = await db.api_key.findUnique({
    where: { id },
    select: { creator: { select: { id: true, name: true, role: true } } },
  });
  if (row === null) throw new ApiError("api_key_not_found");
  const { creator } = row;
  return principalOfMember({ ...creator, role: creator.role as "admin" }, null);
}

function entriesOf(value = ""): string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}
