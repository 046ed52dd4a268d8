import { nameOf } from "#components/checks/check-name.ts";
import { reasonName } from "#components/statistics/reason-name.ts";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import type { MemberName } from "./filter-words.ts";

function rejectReasonName(id: string, reasons: readonly RejectReason[]): string {
  return Number(id) === 0 ? "No reason" : (reasons.find((each) => String(each.id) === id)?.label ?? id);
}

function memberName(id: string, members: readonly MemberName[]): string {
  return Number(id) === 0
    ? "Unknown member"
    : (members.find((each) => String(each.id) === id)?.name ?? `Member ${id}`);
}

/** A module of its own, so that the deck does not load it. */
export function listFilterWords(
  name: FilterName,
  filters: Filters,
  reasons: readonly RejectReason[] = [],
  members: readonly MemberName[] = [],
): string | null {
  const value = filters[name] ?? "";
  switch (name) {
    case "held_by":
      return value === "any" ? "Held" : `Held: ${reasonName(value)}`;
    case "reviewer":
      return `Decided by: ${memberName(value, members)}`;
    case "reviewed_by":
      return `Decided by: ${value}`;
    case "auto_rejected":
      return /^(true|1|yes)$/i.test(value) ? "Rejected by a filter" : "Not rejected by a filter";
    case "auto_reject_reason":
      return `Rejected by a filter: ${reasonName(value)}`;
    case "reject_reason":
      return `Rejected for: ${rejectReasonName(value, reasons)}`;
    case "error_reason":
      return `Error: ${value}`;
    case "warned_by":
      return `Warned by: ${nameOf(value)}`;
    default:
      return null;
  }
}
