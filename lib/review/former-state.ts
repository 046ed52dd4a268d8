import { readBefore } from "#lib/actions/record-action.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { restoreEntryFacts, type EntryFacts } from "#lib/queue/queue-entries.ts";
import type { Decided } from "./decide-posts.ts";
import { writeFormerReviews, type FormerReview } from "./sql.ts";

/**
 * Reviews and queue positions that a decision replaced. With the same `reviewed_at` again, an earlier decision on the
 * post can be undone as well.
 */
interface FormerState {
  reviews: FormerReview[];
  entries: EntryFacts[];
}

/** Former state for a decision that changed only the note. */
export const nothingBefore = { reviews: [], entries: [] } satisfies FormerState;

/** For `before` of the action. */
export function formerState({ changed, entries }: Decided): Prisma.InputJsonObject {
  const state: FormerState = {
    reviews: changed
      .filter(({ before }) => before.approved !== null)
      .map(({ before }) => ({
        id: before.id,
        reviewed_at: before.reviewed_at,
        reviewed_by: before.reviewed_by,
        reviewed_by_member: before.reviewed_by_member,
        auto_reject_reason: before.auto_reject_reason,
        reviewed_version: before.reviewed_version,
      })),
    entries,
  };
  return state as unknown as Prisma.InputJsonObject;
}

/** Versions of the posts that the former reviews were about. */
export async function formerVersions(tx: Tx, action: string): Promise<Map<number, number>> {
  const state = (await readBefore(tx, action)) as FormerState | null;
  return new Map(
    (state?.reviews ?? []).flatMap(({ id, reviewed_version: version }) =>
      version === undefined ? [] : [[id, version] as const],
    ),
  );
}

/**
 * @param ids posts whose verdict was restored in this transaction
 * @returns false for an action older than the history keeps: only the verdicts return
 */
export async function restoreFormerState(tx: Tx, action: string, ids: readonly number[]): Promise<boolean> {
  const state = (await readBefore(tx, action)) as FormerState | null;
  if (state === null) return false;
  const restored = new Set(ids);
  await restoreEntryFacts(
    tx,
    state.entries.filter((entry) => restored.has(entry.post_id)),
  );
  await writeFormerReviews(
    tx,
    state.reviews.filter((review) => restored.has(review.id)),
  );
  return true;
}
