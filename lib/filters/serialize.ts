import { toIso } from "#lib/clock.ts";
import type { BlockedHashtag, BlockedUser, ExportSettings } from "./schema.ts";
import type { BlockedHashtagRow, BlockedUserRow, SettingsRow } from "./sql.ts";

export function serializeSettings(row: SettingsRow): ExportSettings {
  return {
    require_media: row.require_media,
    require_alt_text: row.require_alt_text,
    auto_reject_blocked_users: row.auto_reject_blocked_users,
    auto_reject_blocked_hashtags: row.auto_reject_blocked_hashtags,
    auto_reject_bots: row.auto_reject_bots,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

export function serializeBlockedUser(row: BlockedUserRow, matches: number): BlockedUser {
  return {
    id: row.id,
    account_identifier: row.account_identifier,
    pattern_type: row.pattern_type,
    notes: row.notes,
    created_at: toIso(row.created_at),
    matches,
  };
}

export function serializeBlockedHashtag(row: BlockedHashtagRow, matches: number): BlockedHashtag {
  return {
    id: row.id,
    hashtag: row.hashtag,
    notes: row.notes,
    created_at: toIso(row.created_at),
    matches,
  };
}
