import type { ApiKey } from "#lib/accounts/key-schema.ts";

export type ScopeName = ApiKey["scopes"][number];

export type NamedStream = { id: number; hashtag: string; instance: string };

export function streamNames(ids: readonly number[], streams: readonly NamedStream[]): string {
  if (ids.length === 0) return "All streams";
  const names = new Map(streams.map(({ id, hashtag }) => [id, `#${hashtag}`]));
  return ids.map((id) => names.get(id) ?? `Stream ${id}, deleted`).join(", ");
}
