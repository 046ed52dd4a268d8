import { blockKinds } from "#components/words.ts";
import type { BlockEntry, StoredPatternType } from "#lib/blocking/schema.ts";

/** A line of a block list. */
export interface BlockRow {
  id: number;
  name: string;
  /** Of accounts and domains. */
  matching: string | null;
  /** One account, which reviewers may block and unblock. */
  isSingle: boolean;
  notes: string | null;
  matches: number;
  created_at: string;
}

export function kindOf(user: Pick<BlockEntry<"user">, "pattern_type" | "subdomains">): StoredPatternType {
  return user.subdomains ? "domain" : user.pattern_type;
}

export function rowOfUser({ account_identifier, ...user }: BlockEntry<"user">): BlockRow {
  return {
    ...user,
    name: user.subdomains ? account_identifier.slice(1) : account_identifier,
    matching: blockKinds[kindOf(user)],
    isSingle: user.pattern_type === "exact",
  };
}

export function rowOfHashtag({ hashtag, ...tag }: BlockEntry<"hashtag">): BlockRow {
  return { ...tag, name: `#${hashtag}`, matching: null, isSingle: false };
}
