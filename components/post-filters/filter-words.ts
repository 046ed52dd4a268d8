import { formatDay } from "#components/format.ts";
import { languageName } from "#components/post/post-facts.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { checkName, checkResults, pictureCategories, stateLabels, timedEvents } from "#components/words.ts";
import { dayIn } from "#lib/base/day-schema.ts";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";
import type { SavedFilter } from "#lib/client/desk/saved-filters.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

export interface StreamChoice {
  id: number;
  hashtag: string;
  instance: string;
}

/** Choices that the filters offer. */
export interface FilterChoices {
  streams: readonly StreamChoice[];
  /** Results of the picture check that stored posts have. */
  pictures: readonly string[];
  /** For the filter "Decided by", which the desk does not have. */
  members?: readonly { id: number; name: string }[];
  saved: readonly SavedFilter[];
}

const labels: Record<Exclude<FilterName, "q" | "has_media" | "happened">, string> = {
  stream_id: "Stream",
  seen_in: "Stream",
  approved: "State",
  reviewed: "State",
  queue_status: "State",
  held_by: "Held",
  ai_would_reject: "Check result",
  ai_result: "Check result",
  vision_category: "Picture check",
  language: "Language",
  author: "Author",
  instance: "Server",
  since: "from",
  until: "until",
  reviewer: "Decided by",
  reviewed_by: "Decided by",
  auto_rejected: "Rejected by a filter",
  auto_reject_reason: "Rejected by a filter",
  reject_reason: "Rejected for",
  error_reason: "Error",
  warned_by: "Warned by",
};

/** The member's day of a time in an address, `YYYY-MM-DD`. A day there stays that day. */
export function dayOf(value: string, timeZone: string): string {
  const time = value.length > 10 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : dayIn(timeZone, new Date(time));
}

/** "28 Nov 2026". What is no time is unchanged. */
function shownDay(value: string, timeZone: string): string {
  const day = Date.parse(dayOf(value, timeZone));
  return Number.isNaN(day) ? value : formatDay(day, "UTC");
}

const queueStates: Readonly<Record<string, string>> = stateLabels;

/** Text of a filter: "Language: German". */
export function filterWords(
  name: FilterName,
  filters: Filters,
  { streams, members = [] }: Pick<FilterChoices, "streams" | "members">,
  reasons: readonly RejectReason[],
  timeZone: string,
): string {
  const value = filters[name] ?? "";
  const yes = /^(true|1|yes)$/i.test(value);
  const label = (): string | undefined => {
    switch (name) {
      case "stream_id":
      case "seen_in": {
        const stream = streams.find(({ id }) => String(id) === value);
        return stream && `#${stream.hashtag} · ${stream.instance}`;
      }
      case "approved":
        return yes ? stateLabels.approved : stateLabels.rejected;
      case "reviewed":
        return yes ? "Reviewed" : stateLabels.unreviewed;
      case "queue_status":
        return queueStates[value];
      case "ai_would_reject":
        return yes ? checkResults.reject : checkResults.fine;
      case "ai_result":
        return (checkResults as Readonly<Record<string, string>>)[value];
      case "vision_category":
        return pictureCategories[value];
      case "language":
        return languageName(value);
      case "held_by":
      case "auto_reject_reason":
        return reasonName(value);
      case "reviewer":
        return value === "0" ? "Unknown member" : members.find(({ id }) => String(id) === value)?.name;
      case "reject_reason":
        return value === "0" ? "No reason" : reasons.find(({ id }) => String(id) === value)?.label;
      case "auto_rejected":
        return yes ? "Yes" : "No";
      case "warned_by":
        return checkName(value);
      default:
        return undefined;
    }
  };
  if (name === "q") return `“${value}”`;
  if (name === "has_media") return yes ? "With media" : "Without media";
  if (name === "happened") return timedEvents[value] ?? value;
  const { happened = "created" } = filters;
  if (name === "since" || name === "until")
    return `${timedEvents[happened] ?? happened} ${labels[name]} ${shownDay(value, timeZone)}`;
  return `${labels[name]}: ${label() ?? value}`;
}
