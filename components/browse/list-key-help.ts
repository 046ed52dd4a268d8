import type { KeySection } from "#components/shell/key-host.tsx";
import { actionWords, keySign, type DeskKeys } from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

/** The keys of grids and lists. `keys` is null if single keys are off; `reasons` if the member may not decide. */
export function listKeys(keys: DeskKeys | null, reasons: readonly RejectReason[] | null): KeySection {
  const own = (...actions: ("approve" | "reject" | "undo" | "open" | "reveal")[]) =>
    keys ? actions.map((action) => [actionWords[action], keySign(keys[action])] as const) : [];
  return {
    title: "Grid and list: decisions are for the selection, else for the focused post",
    rows: [
      ["Move between posts", "← ↑ ↓ →"],
      ["First and last post", "Home End"],
      ["Preview with its pictures", "Space"],
      ["Open the page of the post", "Enter"],
      ...(keys ? [["Next and previous post", "J K"] as const] : []),
      ...(keys && reasons ? [["Select or unselect", "X"] as const] : []),
      ...(reasons ? [["Select a range", "Shift ↑ ↓"] as const] : []),
      ...own("open", "reveal"),
      ...(reasons ? own("approve", "reject", "undo") : []),
      ...(keys && reasons
        ? reasons.map(({ label }, at) => [`Reject: ${label}`, String(at + 1)] as const)
        : []),
    ],
  };
}
