import { toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { providers, type Member, type Profile, type Provider } from "./member-schema.ts";

/** The hash only tells whether there is a password. */
export const memberColumns = {
  id: true,
  email: true,
  name: true,
  role: true,
  disabled_at: true,
  last_sign_in_at: true,
  password_hash: true,
  created_at: true,
} as const;

export function serializeMember(row: {
  id: number;
  email: string;
  name: string;
  role: string;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
  password_hash: string | null;
  created_at: Date;
}): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    disabled_at: toIso(row.disabled_at),
    last_sign_in_at: toIso(row.last_sign_in_at),
    has_password: row.password_hash !== null,
    created_at: toIso(row.created_at),
  };
}

/** Time zone and theme are stored among the preferences and returned beside them. */
export function serializeProfile(row: {
  id: number;
  email: string;
  name: string;
  role: string;
  password_hash: string | null;
  linked_accounts: unknown;
  preferences: unknown;
}): Profile {
  const { time_zone, theme, ...preferences } = row.preferences as Record<string, unknown>;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    time_zone: typeof time_zone === "string" ? time_zone : env().TIME_ZONE,
    theme: theme === "light" || theme === "dark" ? theme : "system",
    preferences,
    has_password: row.password_hash !== null,
    sign_in_with: allowedProviders(row.linked_accounts),
  };
}

/** In a fixed order. */
export function allowedProviders(linked: unknown): Provider[] {
  return providers.filter((provider) => Object.hasOwn(linked as object, provider));
}

/** In the audit log, readable without a look-up. */
export function memberLabel(member: { name: string; email: string }): string {
  return `${member.name} <${member.email}>`;
}
