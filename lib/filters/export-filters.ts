import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { switchNames, type BlockedHashtag, type BlockedUser, type SwitchName } from "./schema.ts";

export interface FilterExport {
  switches: Record<SwitchName, boolean>;
  blocked_users: Omit<BlockedUser, "id" | "matches">[];
  blocked_hashtags: Omit<BlockedHashtag, "id" | "matches">[];
}

/** The switches and both block lists whole, as they were entered, without what follows from them. */
export async function exportFilters(): Promise<FilterExport> {
  const inOrder = { orderBy: { id: "asc" } } as const;
  const [settings, users, hashtags] = await Promise.all([
    db.export_setting.findUniqueOrThrow({ where: { id: 1 } }),
    db.blocked_user.findMany(inOrder),
    db.blocked_hashtag.findMany(inOrder),
  ]);
  return {
    switches: Object.fromEntries(
      switchNames.map((name) => [name, settings[name]]),
    ) as FilterExport["switches"],
    blocked_users: users.map(({ account_identifier, pattern_type, notes, created_at }) => ({
      account_identifier,
      pattern_type: pattern_type as BlockedUser["pattern_type"],
      notes,
      created_at: toIso(created_at),
    })),
    blocked_hashtags: hashtags.map(({ hashtag, notes, created_at }) => ({
      hashtag,
      notes,
      created_at: toIso(created_at),
    })),
  };
}
