import type { ApiKey } from "#lib/keys/schema.ts";

export type ScopeName = ApiKey["scopes"][number];

/** A stream as a key's choices name it. */
export type NamedStream = { id: number; hashtag: string; instance: string };
