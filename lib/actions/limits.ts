import { type Limit, undoLimits, type UndoLimit } from "./schema.ts";
import type { UndoLimits } from "./action-kind.ts";

/** For one post or entry, and as the end of "3 of 24 …". */
const sentences: Record<UndoLimit, [one: string, many: string]> = {
  handed_out: ["Already handed out", "were already handed out"],
  decided_again: ["Decided again since", "were decided again since"],
  edited: [
    "Edited since: an undo makes it unreviewed",
    "were edited since: an undo makes such posts unreviewed",
  ],
  changed_again: ["Changed again since", "were changed again since"],
  deleted: ["Deleted since", "were deleted since"],
  erased: ["Deleted at its own server", "were deleted at their own servers"],
  expired: ["Too old to be undone", "are too old to be undone"],
  final: ["This cannot be undone", "cannot be undone"],
};

/** @param of posts or entries of the action */
export function describeLimits(limits: UndoLimits, of: number): Limit[] {
  return undoLimits.flatMap((reason): Limit[] => {
    const count = limits[reason] ?? 0;
    if (count === 0) return [];
    const [one, many] = sentences[reason];
    const verb = count === 1 ? many.replace(/^were/, "was").replace(/^are/, "is") : many;
    return [{ reason, count, detail: of === 1 ? one : `${count} of ${of} ${verb}` }];
  });
}
