import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import {
  atLeastOneKey,
  isoTime,
  jsonProblem,
  nullableString,
  stringField,
  text,
} from "#lib/base/http/fields.ts";
import { roles } from "#lib/base/http/permissions.ts";

const emailField = stringField("E-mail address.", "ana@mail.example");

const Role = z.enum(roles).meta({
  id: "Role",
  description: "`viewer` may read; `reviewer` may also review and consume; `admin` may do everything.",
});

const memberRole = Role.describe("Role of the member.");

/** Trimmed, lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "must have at most 254 characters")
  .refine((value) => /^[^\s@\0]+@[^\s@\0]+$/.test(value) && value.isWellFormed(), "must be an e-mail address")
  .meta({
    override: { type: "string", format: "email", maxLength: 254 },
    description: "E-mail address.",
    example: "ana@example.org",
  });

/** Only length counts (NIST SP 800-63B §3.1.1.2); the upper bound keeps hashing cheap. */
export const Password = text(256, 10);

export const MemberName = z
  .string()
  .trim()
  .pipe(text(100, 1))
  .meta({ override: { type: "string", minLength: 1, maxLength: 100 }, description: "Name.", example: "Ana" });

export const Member = z
  .object({
    id: common.id,
    email: emailField,
    name: common.name,
    role: memberRole,
    disabled_at: isoTime.nullable().describe("When the account was disabled; null while it is active."),
    last_sign_in_at: isoTime.nullable().describe("Latest sign-in; null for never."),
    has_password: z.boolean().describe("False for a member who signs in only through another service."),
    created_at: common.created_at,
  })
  .meta({
    id: "Member",
    example: {
      id: 3,
      email: "ana@example.org",
      name: "Ana",
      role: "reviewer",
      disabled_at: null,
      last_sign_in_at: "2026-05-04T18:02:11.000Z",
      has_password: true,
      created_at: "2026-04-01T09:00:00.000Z",
    },
  });
export type Member = z.infer<typeof Member>;

export const MemberList = z
  .object({
    items: z.array(Member).describe("Entries of this page."),
    total: common.total,
    skip: common.skip,
    limit: common.limit,
  })
  .meta({ id: "MemberList" });

export const MemberCreate = z
  .object({
    email: Email,
    name: MemberName,
    role: memberRole,
    password: Password.meta({ description: "The password.", example: "a long first password" }),
  })
  .meta({
    id: "MemberCreate",
    example: {
      email: "ana@example.org",
      name: "Ana",
      role: "reviewer",
      password: "a sentence is a good one",
    },
  });
export type MemberCreate = z.infer<typeof MemberCreate>;

export const MemberUpdate = atLeastOneKey(
  z.object({
    name: MemberName.optional(),
    role: memberRole.optional(),
    disabled: z
      .boolean()
      .optional()
      .describe("True ends all sessions and disables all keys of the member at once."),
  }),
).meta({ id: "MemberUpdate", example: { role: "admin" } });
export type MemberUpdate = z.infer<typeof MemberUpdate>;

export const Invitation = z
  .object({
    id: common.id,
    email: emailField,
    role: memberRole,
    created_by: nullableString("Name of the member who made it.", "Ana"),
    created_at: common.created_at,
    expires_at: common.expires_at,
  })
  .meta({
    id: "Invitation",
    example: {
      id: 9,
      email: "ben@example.org",
      role: "reviewer",
      created_by: "Ana",
      created_at: "2026-05-04T18:02:11.000Z",
      expires_at: "2026-05-11T18:02:11.000Z",
    },
  });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationCreate = z
  .object({ email: Email, role: memberRole })
  .meta({ id: "InvitationCreate", example: { email: "ben@example.org", role: "reviewer" } });

const url = stringField("One-time link; not shown again.", "https://sluice.example/invitation?token=0kz…");

export const InvitationCreated = Invitation.extend({
  url,
  mailed: z.boolean().describe("Whether a link is also mailed to the address (`SMTP_URL`)."),
}).meta({ id: "InvitationCreated" });
export type InvitationCreated = z.infer<typeof InvitationCreated>;

export const Link = z
  .object({
    id: common.id,
    kind: z.enum(["invite", "reset"]).describe("Kind of entry."),
    email: stringField("Of the person who may use it.", "ana@mail.example"),
    name: nullableString("Of the member; null for an invitation.", "Ana"),
    role: Role.nullable().describe("Given by an invitation; null for a reset link."),
    created_by: nullableString("Null: made on the command line.", "Ana"),
    created_at: common.created_at,
    expires_at: common.expires_at,
  })
  .meta({
    id: "Link",
    example: {
      id: 10,
      kind: "reset",
      email: "ana@example.org",
      name: "Ana",
      role: null,
      created_by: "Ben",
      created_at: "2026-05-04T18:02:11.000Z",
      expires_at: "2026-05-05T18:02:11.000Z",
    },
  });
export type Link = z.infer<typeof Link>;

export const LinkList = z
  .object({ items: z.array(Link).describe("Entries of this page."), total: common.total })
  .meta({ id: "LinkList" });

export const ResetLink = z.object({ url, expires_at: common.expires_at }).meta({ id: "ResetLink" });
export type ResetLink = z.infer<typeof ResetLink>;

export const providers = ["github", "oidc"] as const;
export type Provider = (typeof providers)[number];
const ProviderList = z.array(z.enum(providers)).max(providers.length);

export const themes = ["system", "light", "dark"] as const;

export const Profile = z
  .object({
    id: common.id,
    email: emailField,
    name: common.name,
    role: memberRole,
    time_zone: stringField("Time zone as an IANA name.", "Europe/Vienna"),
    theme: z.enum(themes).describe("Colours of the screens."),
    preferences: z.record(z.string(), z.unknown()).describe("Settings of the member's screens."),
    has_password: z.boolean().describe("Whether the member can sign in with a password."),
    sign_in_with: ProviderList.describe("Services allowed to sign in as this member."),
  })
  .meta({
    id: "Profile",
    example: {
      id: 3,
      email: "ana@example.org",
      name: "Ana",
      role: "reviewer",
      time_zone: "Europe/Berlin",
      theme: "dark",
      preferences: { covered_media: "blur" },
      has_password: true,
      sign_in_with: [],
    },
  });
export type Profile = z.infer<typeof Profile>;

const TimeZone = z.string().refine(isTimeZone, "must be a time zone such as Europe/Berlin");

/** Settings of the screens, which define their meaning. */
const Preferences = z
  .record(z.string().regex(/^\w{1,64}$/, "must be letters, digits and underscores"), z.unknown())
  .superRefine((value, ctx) => {
    const problem = jsonProblem(value, 16);
    if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
  })
  .meta({ override: { type: "object", additionalProperties: true } });

export const ProfileUpdate = atLeastOneKey(
  z.object({
    name: MemberName.optional(),
    time_zone: TimeZone.nullish().meta({
      description: "Null for the time zone of the installation.",
      example: "Europe/Vienna",
    }),
    theme: z.enum(themes).optional().describe("Colours of the screens."),
    preferences: Preferences.optional().describe("Merged by name; null removes a preference."),
    sign_in_with: ProviderList.optional().describe(
      "Services through which this member may sign in with the same verified e-mail address; replaces the earlier list.",
    ),
  }),
).meta({ id: "ProfileUpdate", example: { time_zone: "Europe/Berlin", theme: "dark" } });
export type ProfileUpdate = z.infer<typeof ProfileUpdate>;

export const Session = z
  .object({
    id: common.text_id,
    current: z.boolean().describe("The session of this request."),
    browser: nullableString("Browser and system, or the name of a program.", "Firefox on Linux"),
    address_prefix: nullableString("Network of the address: /24 or /48.", "192.0.2.0/24"),
    created_at: common.created_at,
    last_used_at: isoTime.describe("Exact to five minutes."),
  })
  .meta({
    id: "Session",
    example: {
      id: "5b0c8a0e-6d0c-4a53-8a4e-0d1f5f8f3c11",
      current: true,
      browser: "Firefox on Linux",
      address_prefix: "203.0.113.0/24",
      created_at: "2026-05-01T07:12:40.000Z",
      last_used_at: "2026-05-04T18:02:11.000Z",
    },
  });
export type Session = z.infer<typeof Session>;

export const SessionList = z
  .object({ items: z.array(Session).describe("Entries of this page."), total: common.total })
  .meta({ id: "SessionList" });

export const PasswordChange = z
  .object({
    current_password: z
      .string()
      .max(1024)
      .optional()
      .meta({ description: "Omitted when the member has no password yet.", example: "the present password" }),
    new_password: Password.meta({ description: "The new password.", example: "a long new password" }),
    revoke_keys: z
      .boolean()
      .optional()
      .describe("Also revokes your API keys and the open links that you made."),
  })
  .meta({
    id: "PasswordChange",
    example: { current_password: "the old sentence", new_password: "a new sentence" },
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
