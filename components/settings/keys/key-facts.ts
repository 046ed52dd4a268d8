import type { ApiKey } from "#lib/keys/schema.ts";

export type ScopeName = ApiKey["scopes"][number];

/** A stream in a key's choices. */
export type NamedStream = { id: number; hashtag: string; instance: string };
