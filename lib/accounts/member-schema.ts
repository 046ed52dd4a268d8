import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { atLeastOneKey, jsonProblem, stringField, text } from "#lib/base/http/fields.ts";
import { roles } from "#lib/base/http/permissions.ts";

const Role = z.enum(roles).meta({
  id: "Role",
  description: "`viewer` may read; `reviewer` may also review and consume; `admin` may do everything.",
});

/** An e-mail address, trimmed and in lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "must have at most 254 characters")
  .refine(
    (value) => /^[^\s@\0]+@[^\s@\0]+$/.test(value) && value.isWellFormed(),
    "must be an e-mail address",
  );

/** Only length counts (NIST SP 800-63B §3.1.1.2); the upper bound keeps hashing cheap. */
export const Password = text(256, 10);

export const MemberName = z.string().trim().pipe(text(100, 1));

export interface Member {
  id: number;
  email: string;
  name: string;
  role: z.infer<typeof Role>;
  /** Null while the account is active. */
  disabled_at: string | null;
  last_sign_in_at: string | null;
  /** False for a member who signs in only through another service. */
  has_password: boolean;
}

export const MemberCreate = z.object({ email: Email, name: MemberName, role: Role, password: Password });
export type MemberCreate = z.infer<typeof MemberCreate>;

export const MemberUpdate = atLeastOneKey(
  z.object({
    role: Role.optional(),
    // Ends all sessions and disables all keys of the member at once.
    disabled: z.boolean().optional(),
  }),
);
export type MemberUpdate = z.infer<typeof MemberUpdate>;

export const InvitationCreate = z.object({ email: Email, role: Role });

/** Form of the page of a link. A setup needs e-mail, name and password, an invitation name and password, a reset the password. */
export const LinkForm = z.object({
  email: Email.optional(),
  name: MemberName.optional(),
  password: Password,
  revoke_keys: z
    .string()
    .optional()
    .transform((value) => value === "on"),
});
export type LinkForm = z.output<typeof LinkForm>;

/** An invitation or reset link that nobody has used yet. */
export interface Link {
  id: number;
  email: string;
  /** Name of the member; null for an invitation. */
  name: string | null;
  /** Given by an invitation; null for a reset link. */
  role: z.infer<typeof Role> | null;
  /** Null for a link that was made on the command line. */
  created_by: string | null;
  expires_at: string;
}

export const providers = ["github", "oidc"] as const;
export type Provider = (typeof providers)[number];
const ProviderList = z.array(z.enum(providers)).max(providers.length);

export const themes = ["system", "light", "dark"] as const;

export const Profile = z
  .object({
    id: common.id,
    email: stringField("E-mail address.", "ana@mail.example"),
    name: common.name,
    role: Role.describe("Role of the member."),
    time_zone: stringField("Time zone as an IANA name.", "Europe/Vienna"),
    theme: z.enum(themes).describe("Colours of the screens."),
    preferences: z.record(z.string(), z.unknown()).describe("Settings of the member's screens."),
    has_password: z.boolean().describe("Whether the member can sign in with a password."),
    sign_in_with: ProviderList.describe("Services allowed to sign in as this member."),
  })
  .meta({ id: "Profile" });
export type Profile = z.infer<typeof Profile>;

const TimeZone = z.string().refine(isTimeZone, "must be a time zone such as Europe/Berlin");

/** Settings of the screens by name. The screens define them. */
const Preferences = z
  .record(z.string().regex(/^\w{1,64}$/, "must be letters, digits and underscores"), z.unknown())
  .superRefine((value, ctx) => {
    const problem = jsonProblem(value, 16);
    if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
  });

export const ProfileUpdate = atLeastOneKey(
  z.object({
    name: MemberName.optional(),
    // Null for the time zone of the installation.
    time_zone: TimeZone.nullish(),
    theme: z.enum(themes).optional(),
    // Merged by name; null removes a preference.
    preferences: Preferences.optional(),
    // Services through which this member may sign in with the same verified e-mail address.
    sign_in_with: ProviderList.optional(),
  }),
);
export type ProfileUpdate = z.infer<typeof ProfileUpdate>;

export interface Session {
  id: string;
  /** The session of this request. */
  current: boolean;
  /** Browser and system, or the name of a program. */
  browser: string | null;
  /** Network of the address: /24 or /48. */
  address_prefix: string | null;
  created_at: string;
  /** Stored every five minutes. */
  last_used_at: string;
}

export const PasswordChange = z.object({
  // Omitted when the member has no password yet.
  current_password: z.string().max(1024).optional(),
  new_password: Password,
  // Also ends the open links that the member made.
  revoke_keys: z.boolean().optional(),
});
export type PasswordChange = z.infer<typeof PasswordChange>;

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
