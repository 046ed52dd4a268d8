import { actionWords, managersOnly } from "#components/desk-settings/action-words.ts";
import type { KeySection } from "#components/shell/page-offers.ts";
import { words } from "#components/words/en.ts";
import { deskKeys, keySign, type KeyAction } from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

const w = words.reviewTools;

const groups = {
  decide: ["approve", "reject", "skip", "undo"],
  look: ["enlarge", "reveal", "next_picture", "previous_picture", "open", "checks", "order"],
  author: ["author_posts", "block_author", "block_hashtag"],
  note: ["note"],
} as const satisfies Record<string, readonly KeyAction[]>;

/** The keys of the desk, for its list of keys. */
export function deskKeyHelp(mayManage: boolean, reasons: readonly RejectReason[]): KeySection[] {
  const rows = (actions: readonly KeyAction[]) =>
    actions
      .filter((action) => mayManage || !managersOnly.has(action))
      .map((action) => [actionWords[action], keySign(deskKeys[action])] as const);
  const inPicture = [deskKeys.approve, deskKeys.reject, deskKeys.skip, deskKeys.undo].map(keySign).join(" ");
  return [
    {
      title: w.keyGroups.decide,
      rows: [
        ...rows(groups.decide),
        [words.review.undo, "Ctrl Z"],
        ...reasons.map((reason, i) => [`${words.review.reject}: ${reason.label}`, String(i + 1)] as const),
      ],
    },
    {
      title: w.keyGroups.look,
      rows: [
        ...rows(groups.look),
        [w.keysInPicture, `${inPicture} 1–9`],
        [w.keysOfPicture, "← → + − 0"],
        [words.review.savedFilters, "Shift 1–9"],
      ],
    },
    { title: w.keyGroups.author, rows: [...rows(groups.author), [w.keysOfAuthor, "← → ↑ ↓ X"]] },
    {
      title: w.keyGroups.note,
      rows: [
        ...rows(groups.note),
        [w.noteSave, "Enter"],
        [w.noteApprove, "Ctrl Enter"],
        [w.noteReject, "Ctrl Shift Enter"],
        [w.noteLine, "Shift Enter"],
        [w.noteDiscard, "Esc"],
        [w.noteRestore, "Ctrl Z"],
      ],
    },
  ];
}
