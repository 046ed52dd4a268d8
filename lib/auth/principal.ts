import type { Role, Scope } from "./permissions.ts";

/** The authenticated caller. A key acts for the member who created it, within its scopes. */
export interface Principal {
  kind: "key" | "member";
  member_id: number;
  role: Role;
  scopes: readonly Scope[];
  key_id: number | null;
  /** Streams the key is bound to; null: all streams. */
  stream_ids: number[] | null;
  /** Name of the member or key, shown in the history. */
  label: string;
  source: "api" | "screen";
}

/**
 * Caller of an operation that checks the key in its own database call (`auth: "inline"`): the hash of a key, or a member
 * whose session is verified.
 */
export type InlineCaller =
  | { key_hash: Uint8Array; member_id: null; label: null }
  | { key_hash: null; member_id: number; label: string };

/** Actor of scheduled fetches, cleanup and other background work. */
export const servicePrincipal = {
  label: "Sluice",
  member_id: null,
  key_id: null,
  source: "service",
} as const;

/** The actor of a change, as the history and the audit log record it. */
export type Actor =
  | (Pick<Principal, "label" | "member_id" | "key_id" | "source"> & Partial<Pick<Principal, "stream_ids">>)
  | (typeof servicePrincipal & { stream_ids?: null });

/**
 * Streams whose posts an actor may change; null: all. For a bound key, posts of other streams and posts without a stream
 * do not exist (docs/api.md#bound-keys).
 */
export function allowedStreams(actor: Actor): number[] | null {
  return actor.stream_ids ?? null;
}
