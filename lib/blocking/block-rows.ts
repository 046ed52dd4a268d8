import type { BlockKind, StoredPatternType } from "./schema.ts";

export interface UserPattern {
  account_identifier: string;
  pattern_type: StoredPatternType;
  notes: string | null;
}

export interface HashtagEntry {
  hashtag: string;
  /** From `foldHashtag`; unique in the list. */
  hashtag_folded: string;
  notes: string | null;
}

export interface Stored {
  user: UserPattern;
  hashtag: HashtagEntry;
}
export type Row<K extends BlockKind> = Stored[K] & { id: number; created_at: Date };
