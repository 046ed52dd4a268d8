import { formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import type { FilterName, Filters } from "#lib/desk/filters.ts";

const w = words.reviewTools.decided;
const reasonName = (reason: string) => words.queue.heldReasons[reason]?.name;

function rejectReasonName(id: string, reasons: readonly RejectReason[]): string {
  return Number(id) === 0
    ? words.reasons.none
    : (reasons.find((each) => String(each.id) === id)?.label ?? id);
}

/** A module of its own, so that the deck does not load it. */
export function listFilterWords(
  name: FilterName,
  filters: Filters,
  reasons: readonly RejectReason[] = [],
): string | null {
  const value = filters[name] ?? "";
  switch (name) {
    case "held_by":
      return value === "any" ? words.queue.heldTitle : words.queue.heldChip(reasonName(value) ?? value);
    case "reviewer":
      return value === "0" ? w.unknownMember : w.member(value);
    case "reviewed_by":
      return `${w.reviewer}: ${value}`;
    case "auto_rejected":
      return /^(true|1|yes)$/i.test(value) ? w.byFilters : w.notByFilters;
    case "auto_reject_reason":
      return `${w.byFilters}: ${reasonName(value) ?? value.replaceAll("_", " ")}`;
    case "reject_reason":
      return `${w.reason}: ${rejectReasonName(value, reasons)}`;
    case "error_reason":
      return `${w.error}: ${value}`;
    case "waited_for_review":
      return w.waitedForReview(formatDuration(Number(value)));
    case "waited_for_delivery":
      return w.waitedForDelivery(formatDuration(Number(value)));
    default:
      return null;
  }
}
