import { actionWords, managersOnly } from "#components/desk-settings/action-words.ts";
import type { KeySection } from "#components/shell/page-offers.ts";
import { deskKeys, keySign, type KeyAction } from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

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
      title: "Decide",
      rows: [
        ...rows(groups.decide),
        ["Undo", "Ctrl Z"],
        ...reasons.map((reason, i) => [`Reject: ${reason.label}`, String(i + 1)] as const),
      ],
    },
    {
      title: "Look",
      rows: [
        ...rows(groups.look),
        ["In an enlarged picture and in the checks: decide, reject with a reason, undo", `${inPicture} 1–9`],
        ["In an enlarged picture: next, zoom, fit", "← → + − 0"],
        ["Saved filters", "Shift 1–9"],
      ],
    },
    {
      title: "Author",
      rows: [...rows(groups.author), ["In the posts of an author: move, select", "← → ↑ ↓ X"]],
    },
    {
      title: "Note",
      rows: [
        ...rows(groups.note),
        ["Save the note", "Enter"],
        ["Approve with the note", "Ctrl Enter"],
        ["Reject with the note", "Ctrl Shift Enter"],
        ["New line in the note", "Shift Enter"],
        ["Discard the note", "Esc"],
        ["Restore a discarded note", "Ctrl Z"],
      ],
    },
  ];
}
