import { nameOf } from "#components/checks/check-name.ts";
import { reasonName } from "#components/statistics/reason-name.ts";
import { words } from "#components/words/en.ts";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import type { MemberName } from "./filter-words.ts";

const w = words.reviewTools.decided;

function rejectReasonName(id: string, reasons: readonly RejectReason[]): string {
  return Number(id) === 0
    ? words.reasons.none
    : (reasons.find((each) => String(each.id) === id)?.label ?? id);
}

function memberName(id: string, members: readonly MemberName[]): string {
  return Number(id) === 0
    ? w.unknownMember
    : (members.find((each) => String(each.id) === id)?.name ?? w.member(id));
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
      return value === "any" ? words.queue.heldTitle : words.queue.heldChip(reasonName(value));
    case "reviewer":
      return `${w.reviewer}: ${memberName(value, members)}`;
    case "reviewed_by":
      return `${w.reviewer}: ${value}`;
    case "auto_rejected":
      return /^(true|1|yes)$/i.test(value) ? w.byFilters : w.notByFilters;
    case "auto_reject_reason":
      return `${w.byFilters}: ${reasonName(value)}`;
    case "reject_reason":
      return `${w.reason}: ${rejectReasonName(value, reasons)}`;
    case "error_reason":
      return `${w.error}: ${value}`;
    case "warned_by":
      return w.warnedBy(nameOf(value));
    default:
      return null;
  }
}
