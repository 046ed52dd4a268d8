import { nameOf } from "#components/checks/check-name.ts";
import { languageName } from "#components/post/post-facts.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { checkResults, pictureCategories, stateLabels, timedEvents } from "#components/words.ts";
import type { FieldProblem } from "#lib/client/api-failure.ts";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

export interface StreamChoice {
  id: number;
  hashtag: string;
  instance: string;
}

/** Choices of the filters. */
export interface FilterChoices {
  streams: readonly StreamChoice[];
  /** Results of the picture check that occur. */
  pictures: readonly string[];
  /** For the filter of decisions; the desk has none. */
  members?: readonly { id: number; name: string }[];
}

/** Labels. Values of `text` filters are shown as they are, and their errors in the words of the API. */
const labels: Record<FilterName | "order", { label: string; text?: true }> = {
  q: { label: "Search", text: true },
  order: { label: "Order" },
  stream_id: { label: "Stream" },
  seen_in: { label: "Stream" },
  approved: { label: "State" },
  reviewed: { label: "State" },
  queue_status: { label: "State" },
  held_by: { label: "Held" },
  ai_would_reject: { label: "Check result" },
  ai_result: { label: "Check result" },
  has_media: { label: "Media" },
  vision_category: { label: "Picture check", text: true },
  language: { label: "Language", text: true },
  author: { label: "Author", text: true },
  instance: { label: "Server", text: true },
  happened: { label: "Period and order by" },
  since: { label: "from" },
  until: { label: "until" },
  reviewer: { label: "Decided by" },
  reviewed_by: { label: "Decided by", text: true },
  auto_rejected: { label: "Rejected by a filter" },
  auto_reject_reason: { label: "Rejected by a filter", text: true },
  reject_reason: { label: "Rejected for" },
  error_reason: { label: "Error", text: true },
  warned_by: { label: "Warned by" },
};

const queueStates: Readonly<Record<string, string>> = stateLabels;

function labelOf(name: FilterName | "order", { happened = "created" }: Filters): string {
  const { label } = labels[name];
  return name === "since" || name === "until" ? `${timedEvents[happened] ?? happened} ${label}` : label;
}

/** "Language: German". */
export function filterWords(
  name: FilterName,
  filters: Filters,
  { streams, members = [] }: Pick<FilterChoices, "streams" | "members">,
  reasons: readonly RejectReason[],
): string {
  const value = filters[name] ?? "";
  const yes = /^(true|1|yes)$/i.test(value);
  const said = (): string | undefined => {
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
      case "since":
      case "until":
        return value.slice(0, 10);
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
        return nameOf(value);
      default:
        return undefined;
    }
  };
  if (name === "q") return `“${value}”`;
  if (name === "has_media") return yes ? "With media" : "Without media";
  if (name === "happened") return timedEvents[value] ?? value;
  const colon = name === "since" || name === "until" ? "" : ":";
  return `${labelOf(name, filters)}${colon} ${said() ?? value}`;
}

/** Longer values are not quoted. */
const MAX_QUOTED = 60;

/** "Posted from: “32 May” is not a date". The API's sentences for choices and dates address its clients. */
export function refusalWords(errors: readonly FieldProblem[], filters: Filters): string[] {
  const sentences = errors.map(({ path, message }) => {
    if (!(path in labels)) return `${path}: ${message}`;
    const name = path as keyof typeof labels;
    const value = filters[name];
    if (value === undefined || labels[name].text) return `${labelOf(name, filters)}: ${message}`;
    const quoted = value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value;
    const wanted = name === "since" || name === "until" ? "date" : "valid choice";
    return `${labelOf(name, filters)}: “${quoted}” is not a ${wanted}`;
  });
  return [...new Set(sentences)];
}
