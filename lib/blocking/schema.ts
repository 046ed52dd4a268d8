import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import {
  atLeastOneKey,
  isoTime,
  nullableString,
  queryInteger,
  querySkip,
  stringField,
  text,
} from "#lib/base/http/fields.ts";
import { hashtagField } from "#lib/fediverse/hashtag.ts";

const notesField = nullableString("Note; null for none.", "Advertising");
const matchesField = z.int().describe("Posts that the entry has rejected or holds now.");

/** How a pattern is compared with `user@host`. */
export const patternTypes = ["exact", "suffix", "prefix", "contains"] as const;
export type PatternType = (typeof patternTypes)[number];
/** A domain with all hosts below it. The API shows it as the suffix `@domain` with `subdomains`. */
export type StoredPatternType = PatternType | "domain";

const switches = {
  require_media: z.boolean().describe("Hand out only posts with media."),
  require_alt_text: z.boolean().describe("Hand out only posts whose media all have a description."),
  auto_reject_blocked_users: z.boolean().describe("Reject posts of blocked users when they are fetched."),
  auto_reject_blocked_hashtags: z
    .boolean()
    .describe("Reject posts with a blocked hashtag when they are fetched."),
  auto_reject_bots: z
    .boolean()
    .describe("Reject posts of bots when they are fetched, and hold those that are queued."),
  deliveries_paused: z
    .boolean()
    .describe("`GET /curated/next` answers 204; everything else works. On after a restore."),
};
export type SwitchName = keyof typeof switches;
export const switchNames = Object.keys(switches) as SwitchName[];

export const ExportSettings = z
  .object({ ...switches, created_at: common.created_at, updated_at: common.updated_at })
  .meta({ id: "ExportSettings" });
export type ExportSettings = z.infer<typeof ExportSettings>;

export const ExportSettingsUpdate = atLeastOneKey(z.object(switches).partial()).meta({
  id: "ExportSettingsUpdate",
  example: { require_alt_text: true },
});
export type ExportSettingsUpdate = z.output<typeof ExportSettingsUpdate>;

const notes = text(2000).nullable().optional().describe("Note; null for none.");

const reach = {
  held: z.int().describe("Approved posts that it holds."),
  rejected: z.int().describe("Unreviewed posts that it rejects."),
};
const asOf = isoTime
  .optional()
  .describe("With `dry_run`: time of the count, to be sent with the real request.");

export const SwitchesChanged = ExportSettings.extend({
  ...reach,
  released: z.int().describe("Held posts that it releases."),
  returned: z
    .int()
    .describe("Posts that it had rejected when it was switched on, and that are unreviewed again."),
  as_of: asOf,
}).meta({ id: "SwitchesChanged" });
export type SwitchesChanged = z.infer<typeof SwitchesChanged>;

export const BlockedUser = z
  .object({
    id: common.id,
    account_identifier: stringField(
      "Account as `user@host`, or the part of it that the pattern compares.",
      "spam@mastodon.example",
    ),
    pattern_type: z.enum(patternTypes).describe("How `account_identifier` is compared with `user@host`."),
    notes: notesField,
    created_at: common.created_at,
    matches: matchesField,
    subdomains: z.boolean().describe("Of a suffix `@domain`: hosts below it match, too."),
  })
  .meta({ id: "BlockedUser" });
export type BlockedUser = z.infer<typeof BlockedUser>;

/** The stored type of an entry in the form of the API. */
export function storedType(entry: Pick<BlockedUser, "pattern_type" | "subdomains">): StoredPatternType {
  return entry.subdomains ? "domain" : entry.pattern_type;
}

/**
 * The domain that was written where an account is expected: `brezel.example`, `@brezel.example` or
 * `https://brezel.example/`. Null for accounts, profiles and patterns.
 */
export function writtenDomain(written: string): string | null {
  const match = /^(?:https?:\/\/|@)?([^\s/@:*.]+(?:\.[^\s/@:*.]+)+(?::\d{1,5})?)\/?$/iu.exec(written.trim());
  return match?.[1]?.toLowerCase() ?? null;
}

/** `user-patterns.ts` normalises the identifier. */
export const BlockedUserCreate = z
  .object({
    account_identifier: text(500, 1).meta({
      description: "Account as `user@host`, or the part of it that the pattern compares.",
      example: "spam@mastodon.example",
    }),
    pattern_type: z
      .enum(patternTypes)
      .default("exact")
      .describe("How `account_identifier` is compared with `user@host`."),
    subdomains: z
      .boolean()
      .optional()
      .describe("With a `suffix` that is a domain: block the hosts below it, too, as one entry."),
    notes,
  })
  .meta({
    id: "BlockedUserCreate",
    example: { account_identifier: "@spammer@example.social", pattern_type: "exact" },
  });
export type BlockedUserCreate = z.output<typeof BlockedUserCreate>;

export const BlockedHashtag = z
  .object({
    id: common.id,
    hashtag: common.hashtag,
    notes: notesField,
    created_at: common.created_at,
    matches: matchesField,
  })
  .meta({ id: "BlockedHashtag" });
export type BlockedHashtag = z.infer<typeof BlockedHashtag>;

export const BlockedHashtagCreate = z
  .object({
    hashtag: hashtagField,
    notes,
  })
  .meta({ id: "BlockedHashtagCreate", example: { hashtag: "followback" } });
export type BlockedHashtagCreate = z.output<typeof BlockedHashtagCreate>;

export const BlockListQuery = z.object({
  skip: querySkip("Entries to skip.").optional(),
  limit: queryInteger(1, 1000, "Maximum number of entries; default: up to 10 000.").optional(),
});
export type BlockListQuery = z.output<typeof BlockListQuery>;

/** Query of the export of blocked users. */
export const CsvQuery = z.object({
  form: z
    .enum(["domains", "accounts"])
    .optional()
    .describe(
      "Only the domains or only the accounts, in the form that Mastodon imports. Default: every entry.",
    ),
});

export const BlockListImport = z
  .object({
    text: text(262_144, 1).meta({
      description: "The list, as text or CSV.",
      example: "spam@mastodon.example",
    }),
  })
  .meta({ id: "BlockListImport", example: { text: "#domain,#severity\nspam.example,suspend\n" } });

export type BlockListImport = z.infer<typeof BlockListImport>;

export const UserImportResult = z
  .object({
    dry_run: z.boolean().describe("True when nothing was stored."),
    ...reach,
    as_of: asOf,
    added: z.int().describe("Entries that were not on the list before."),
    existing: z.int().describe("Entries that are on the list already."),
    /** Lines that block nobody, such as a domain with severity `noop`. */
    ignored: z.int().describe("Lines without an entry."),
    limited: z
      .int()
      .describe(
        "Domains that the list only limits (Mastodon's `silence`). They are blocked like the others.",
      ),
    unreadable: z
      .array(
        z.object({
          line: z.int().describe("Number of the line, from 1."),
          text: stringField("Its first 200 characters.", "spam@mastodon.example"),
          message: common.message,
        }),
      )
      .describe("Lines that are no entry."),
    entries: z
      .array(
        BlockedUser.pick({ account_identifier: true, pattern_type: true, notes: true, subdomains: true }),
      )
      .describe("Entries of the file as they are understood."),
  })
  .meta({ id: "UserImportResult" });
export type UserImportResult = z.infer<typeof UserImportResult>;

export type BlockKind = "user" | "hashtag";

export const blockListSchemas = {
  user: {
    entry: BlockedUser,
    added: BlockedUser.extend(reach).meta({ id: "AddedBlockedUser" }),
    create: BlockedUserCreate,
  },
  hashtag: {
    entry: BlockedHashtag,
    added: BlockedHashtag.extend(reach).meta({ id: "AddedBlockedHashtag" }),
    create: BlockedHashtagCreate,
  },
} as const satisfies Record<BlockKind, unknown>;

export const BlockReach = z
  .object({ ...reach, as_of: isoTime.describe("Time of the count.") })
  .meta({ id: "BlockReach" });
export type BlockReach = z.infer<typeof BlockReach>;

export type BlockEntry<K extends BlockKind> = z.output<(typeof blockListSchemas)[K]["entry"]>;
export type AddedBlock = z.output<(typeof blockListSchemas)[BlockKind]["added"]>;
export type BlockCreate = z.output<(typeof blockListSchemas)[BlockKind]["create"]>;
