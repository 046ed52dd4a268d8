import { z } from "zod";
import { atLeastOneKey, isoTime, queryBoolean, queryInteger, querySkip, text } from "#lib/http/fields.ts";
import { hashtagField } from "#lib/fediverse/hashtag.ts";

/** How a blocked user's pattern meets `user@host`. */
export const patternTypes = ["exact", "suffix", "prefix", "contains"] as const;
export type PatternType = (typeof patternTypes)[number];

/** Switches of the export settings. */
export const switchNames = [
  "require_media",
  "require_alt_text",
  "auto_reject_blocked_users",
  "auto_reject_blocked_hashtags",
  "auto_reject_bots",
] as const;
export type SwitchName = (typeof switchNames)[number];

const switches = {
  require_media: z.boolean(),
  require_alt_text: z.boolean(),
  auto_reject_blocked_users: z.boolean(),
  auto_reject_blocked_hashtags: z.boolean(),
  auto_reject_bots: z.boolean(),
} satisfies Record<SwitchName, z.ZodBoolean>;

export const ExportSettings = z.object({ ...switches, created_at: isoTime, updated_at: isoTime }).meta({
  id: "ExportSettings",
  example: {
    require_media: false,
    require_alt_text: false,
    auto_reject_blocked_users: true,
    auto_reject_blocked_hashtags: true,
    auto_reject_bots: false,
    created_at: "2026-05-01T08:00:00.000Z",
    updated_at: "2026-05-04T12:00:00.000Z",
  },
});
export type ExportSettings = z.infer<typeof ExportSettings>;

/** Body of `PUT /reblog-controls/settings`: any of the switches. */
export const ExportSettingsUpdate = atLeastOneKey(z.object(switches).partial()).meta({
  id: "ExportSettingsUpdate",
  example: { require_alt_text: true },
});
export type ExportSettingsUpdate = z.output<typeof ExportSettingsUpdate>;

const notes = text(2000).nullable().optional();

const blockedUserExample = {
  id: 1,
  account_identifier: "spammer@example.social",
  pattern_type: "exact" as const,
  notes: "Sells followers",
  created_at: "2026-05-04T12:00:00.000Z",
  matches: 12,
};

export const BlockedUser = z
  .object({
    id: z.int(),
    account_identifier: z.string(),
    pattern_type: z.enum(patternTypes),
    notes: z.string().nullable(),
    created_at: isoTime,
    matches: z.int(),
  })
  .meta({ id: "BlockedUser", example: blockedUserExample });
export type BlockedUser = z.infer<typeof BlockedUser>;

/** Body of `POST /reblog-controls/blocked-users`. The identifier is normalised by `normalise-user-pattern.ts`. */
export const BlockedUserCreate = z
  .object({
    account_identifier: text(500, 1),
    pattern_type: z.enum(patternTypes).default("exact"),
    notes,
  })
  .meta({
    id: "BlockedUserCreate",
    example: { account_identifier: "@spammer@example.social", pattern_type: "exact" },
  });
export type BlockedUserCreate = z.output<typeof BlockedUserCreate>;

export const BlockedHashtag = z
  .object({
    id: z.int(),
    hashtag: z.string(),
    notes: z.string().nullable(),
    created_at: isoTime,
    matches: z.int(),
  })
  .meta({
    id: "BlockedHashtag",
    example: {
      id: 1,
      hashtag: "followback",
      notes: null,
      created_at: "2026-05-04T12:00:00.000Z",
      matches: 3,
    },
  });
export type BlockedHashtag = z.infer<typeof BlockedHashtag>;

/** Body of `POST /reblog-controls/blocked-hashtags`. */
export const BlockedHashtagCreate = z
  .object({
    hashtag: hashtagField,
    notes,
  })
  .meta({ id: "BlockedHashtagCreate", example: { hashtag: "followback" } });
export type BlockedHashtagCreate = z.output<typeof BlockedHashtagCreate>;

/** Most entries a list answers at once (contract §6). */
export const MOST_LISTED = 10_000;

/** Query of the lists: everything up to 10 000 entries, unless a page is asked for. */
export const BlockListQuery = z.object({
  skip: querySkip("Entries to skip.").optional(),
  limit: queryInteger(1, 1000, "Entries to return; without it all, up to 10 000.").optional(),
});
export type BlockListQuery = z.output<typeof BlockListQuery>;

export const RejectBlockedResult = z
  .object({ rejected: z.int() })
  .meta({ id: "RejectBlockedResult", example: { rejected: 4 } });

/** Body of the imports: a list as other software exports it, or as people write it. */
export const BlockListImport = z
  .object({ text: text(262_144, 1) })
  .meta({ id: "BlockListImport", example: { text: "#domain,#severity\nspam.example,suspend\n" } });

export const ImportQuery = z.object({
  dry_run: queryBoolean("Only say what would change.").optional().default(false),
});

const importFigures = {
  dry_run: z.boolean(),
  /** Entries that are (with `dry_run`: would be) new on the list. */
  added: z.int(),
  /** Entries that are on the list already. */
  existing: z.int(),
  /** Lines that ask for nothing, such as a domain limited with severity `noop`. */
  ignored: z.int(),
  unreadable: z.array(z.object({ line: z.int(), text: z.string(), message: z.string() })),
};

/** Answer of `POST /reblog-controls/blocked-users/import`. `entries`: what is (or would be) added. */
export const UserImportResult = z
  .object({
    ...importFigures,
    entries: z.array(BlockedUser.pick({ account_identifier: true, pattern_type: true, notes: true })),
  })
  .meta({ id: "UserImportResult" });
export type UserImportResult = z.infer<typeof UserImportResult>;

/** Answer of `POST /reblog-controls/blocked-hashtags/import`. */
export const HashtagImportResult = z
  .object({ ...importFigures, entries: z.array(BlockedHashtag.pick({ hashtag: true, notes: true })) })
  .meta({ id: "HashtagImportResult" });
export type HashtagImportResult = z.infer<typeof HashtagImportResult>;
