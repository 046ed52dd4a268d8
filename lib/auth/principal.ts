import type { Role, Scope } from "./permissions.ts";

/** Who is calling, after authentication. A key acts for the member who made it, within its scopes. */
export interface Principal {
  kind: "key" | "member";
  member_id: number;
  role: Role;
  scopes: readonly Scope[];
  key_id: number | null;
  /** The key's streams; null = every stream. */
  stream_ids: number[] | null;
  /** Shown in history: the member's or the key's name. */
  label: string;
  source: "api" | "screen";
}

/**
 * Who is calling, for an operation that checks the key itself in its one round trip to the database
 * (`auth: "inline"`): a key's hash, or a member whose session is already verified.
 */
export type InlineCaller =
  | { key_hash: Uint8Array; member_id: null; label: null }
  | { key_hash: null; member_id: number; label: string };

/** The service itself: scheduled fetches, cleanup, sweeps. */
export const servicePrincipal = {
  label: "Sluice",
  member_id: null,
  key_id: null,
  source: "service",
} as const;

/** What history needs to know of whoever acts. */
export type Actor =
  | (Pick<Principal, "label" | "member_id" | "key_id" | "source"> & Partial<Pick<Principal, "stream_ids">>)
  | (typeof servicePrincipal & { stream_ids?: null });

/**
 * The streams whose posts an actor may change; null: all. Posts of other streams, and those of none, do not exist for
 * a key that is bound (contract §3, §6).
 */
export function streamsOf(actor: Actor): number[] | null {
  return actor.stream_ids ?? null;
}
