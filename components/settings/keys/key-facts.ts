import type { ApiKey } from "#lib/keys/schema.ts";

export type ScopeName = ApiKey["scopes"][number];

export type NamedStream = { id: number; hashtag: string; instance: string };
