import type { Scope } from "./permissions.ts";

/** A key acts for the member who created it, within its scopes. */
export interface Principal {
  kind: "key" | "member";
  member_id: number;
  scopes: readonly Scope[];
  key_id: number | null;
  /** Null for a key. */
  session_id: string | null;
  /** Shown in the history. */
  label: string;
  source: "api" | "screen";
}

export type Owner = Pick<Principal, "scopes" | "member_id">;

/** Whose keys the caller may change; null for those of all members. */
export function ownerFor({ scopes, member_id }: Owner): number | null {
  return scopes.includes("manage") ? null : member_id;
}

/** Caller of an operation with `auth: "inline"`: the hash of a key, or a member of a verified session. */
export type InlineCaller =
  | { key_hash: Uint8Array; member_id: null; label: null }
  | { key_hash: null; member_id: number; label: string };

/** Actor of background work. */
export const servicePrincipal = {
  label: "Sluice",
  member_id: null,
  key_id: null,
  source: "service",
} as const;

/** The actor that history and audit log record. */
export type Actor = Pick<Principal, "label" | "member_id" | "key_id" | "source"> | typeof servicePrincipal;
