import { actionWords } from "#components/desk-settings/action-words.ts";
import type { KeySection } from "#components/shell/page-offers.ts";
import { words } from "#components/words/en.ts";
import { keySign, type KeyAction, type DeskKeys } from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

const w = words.keys;

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
    title: w.list,
    rows: [
      ...(keys ? [[w.listMove, "J K"] as const] : []),
      [w.listArrows, "← ↑ ↓ →"],
      [w.listEnds, "Home End"],
      [w.listPreview, "Space"],
      [w.listPage, "Enter"],
      ...(selects
        ? [...(keys ? [[w.listSelect, "X"] as const] : []), [w.listExtend, "Shift ↑ ↓"] as const]
        : []),
      ...own(views),
      ...(mayReview ? own(decisions) : []),
      ...(mayReview && keys
        ? reasons.map((reason, at) => [`${words.review.reject}: ${reason.label}`, String(at + 1)] as const)
        : []),
    ],
  };
}
