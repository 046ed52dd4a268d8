import { heldReasons } from "#components/words.ts";
import type { HeldReason } from "#lib/queue/holds.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";
import type { FilterReason, SkipReason } from "#lib/collect/stream-filters.ts";

const filterReasons: Record<FilterReason, string> = {
  no_media: "No media",
  reply: "Reply",
  language: "Another language",
};

/** Why posts were skipped or rejected. Holds have their names in `heldReasons`. */
const reasons = {
  not_an_object: "Not a post",
  no_uri: "No address",
  bad_uri: "Address cannot be right",
  no_id: "No id",
  no_author: "No author",
  bad_author: "Author cannot be right",
  boost: "Boost of another post",
  unreadable: "Could not be read",
  visibility: "Not public",
  not_public: "Not public",
  suspended: "Suspended account",
  memorial: "Memorial account",
  moved: "Moved account",
  refusal_tag: "Refused in the profile",
  refusal_tag_on_post: "Refused on the post",
  quote_refused: "Quotes an author who refuses",
  announce_refused: "Boosts refused",
  reported: "Confirmed report of an opt-out",
  not_opted_in: "Not opted in",
  noindex: "Indexing refused",
  hosts_disagree: "Author of another server",
  author_unproven: "Author not verified yet",
  ...filterReasons,
  bad_date: "Date cannot be right",
  too_large: "Too long",
  gone: "Deleted at its source",
  withdrawn: "No longer public",
} satisfies Record<SkipReason | Exclude<AutoRejectReason, HeldReason>, string> as Record<string, string>;

/** Label of a filter or a hold. Unknown reasons are shown with spaces for underscores. */
export function reasonName(reason: string): string {
  return reasons[reason] ?? heldReasons[reason]?.name ?? reason.replaceAll("_", " ");
}
