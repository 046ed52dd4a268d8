/** See docs/api.md#roles-and-scopes. */
export const scopes = ["read", "consume", "review", "manage", "keys"] as const;
export type Scope = (typeof scopes)[number];

export const roles = ["viewer", "reviewer", "admin"] as const;
export type Role = (typeof roles)[number];

/** The SQL function `queue_identify` repeats the roles with `consume`. */
const grants: Record<Role, readonly Scope[]> = {
  viewer: ["read", "keys"],
  reviewer: ["read", "consume", "review", "keys"],
  admin: scopes,
};

/** `keys` covers a member's own keys; all keys need the role admin. */
export function scopesOf(role: Role): readonly Scope[] {
  return grants[role];
}

/** Whether a member with this role has the scope. */
export function roleGrants(role: Role, scope: Scope): boolean {
  return grants[role].includes(scope);
}
