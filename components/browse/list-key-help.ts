import type { KeySection } from "#components/shell/page-offers.ts";
import { actionWords, keySign, type KeyAction, type DeskKeys } from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

export interface ListKeyOptions {
  /** Null if single keys are off. */
  keys: DeskKeys | null;
  mayReview: boolean;
  selects: boolean;
  reasons: readonly RejectReason[];
}

const decisions = ["approve", "reject", "undo"] as const satisfies KeyAction[];
const views = ["open", "reveal"] as const satisfies KeyAction[];

/** The keys of grids and lists, for the list of keys. */
export function listKeys({ keys, mayReview, selects, reasons }: ListKeyOptions): KeySection {
  const own = (actions: readonly KeyAction[]) =>
    keys ? actions.map((action) => [actionWords[action], keySign(keys[action])] as const) : [];
  return {
    title: "Grid and list: decisions are for the selection, else for the focused post",
    rows: [
      ...(keys ? [["Next and previous post", "J K"] as const] : []),
      ["Move between posts", "← ↑ ↓ →"],
      ["First and last post", "Home End"],
      ["Preview with its pictures", "Space"],
      ["Open the page of the post", "Enter"],
      ...(selects
        ? [...(keys ? [["Select or unselect", "X"] as const] : []), ["Select a range", "Shift ↑ ↓"] as const]
        : []),
      ...own(views),
      ...(mayReview ? own(decisions) : []),
      ...(mayReview && keys
        ? reasons.map((reason, at) => [`Reject: ${reason.label}`, String(at + 1)] as const)
        : []),
    ],
  };
}
