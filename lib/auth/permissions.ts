/** What a key or a session may do (contract §6, "Who may do what"). */
export const scopes = ["read", "consume", "review", "manage", "keys"] as const;
export type Scope = (typeof scopes)[number];

export const roles = ["viewer", "reviewer", "admin"] as const;
export type Role = (typeof roles)[number];

/** The same table stands in SQL (`role_grants`), where the queue checks keys; a test compares all pairs. */
const grants: Record<Role, readonly Scope[]> = {
  viewer: ["read", "keys"],
  reviewer: ["read", "consume", "review", "keys"],
  admin: scopes,
};

/** Scopes a member with this role has. `keys` means their own keys; for all keys the role must be admin. */
export function scopesOf(role: Role): readonly Scope[] {
  return grants[role];
}

/** Whether a role may use a scope. */
export function roleGrants(role: Role, scope: Scope): boolean {
  return grants[role].includes(scope);
}
