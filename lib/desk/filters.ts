/** Filters that only posts somebody has decided can match. */
export const listFilterNames = [
  "held_by",
  "reviewer",
  "reviewed_by",
  "auto_rejected",
  "auto_reject_reason",
  "error_reason",
  "waited_for_review",
  "waited_for_delivery",
] as const;
/** Filters of `GET /posts` and of the deck as they stand in the address, name by name. */
export const filterNames = [
  "q",
  "stream_id",
  "seen_in",
  "approved",
  "reviewed",
  "queue_status",
  "ai_would_reject",
  "has_media",
  "vision_category",
  "language",
  "author",
  "instance",
  "happened",
  "since",
  "until",
  ...listFilterNames,
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName | "order", string>>;

/** Review and queue state as one choice; its names are those of `words.review.states`. */
export const stateChoices = {
  all: {},
  unreviewed: { reviewed: "false" },
  reviewed: { reviewed: "true" },
  approved: { approved: "true" },
  rejected: { approved: "false" },
  pending: { queue_status: "pending" },
  reserved: { queue_status: "reserved" },
  delivered: { queue_status: "delivered" },
  error: { queue_status: "error" },
} as const satisfies Record<string, Filters>;
export type StateChoice = keyof typeof stateChoices;

const stateNames = ["approved", "reviewed", "queue_status"] as const;

/** Filters out of an address; what is unknown or empty is left out, what is wrong stays for the server to name. */
export function readFilters(params: URLSearchParams): Filters {
  const filters: Filters = {};
  for (const name of [...filterNames, "order"] as const) {
    // A repeated name: the last one counts, as in the API.
    const value = params.getAll(name).at(-1);
    // A reason is compared as a consumer gave it: a blank at its end is a part of it.
    const text = name === "error_reason" ? value : value?.trim();
    if (text) filters[name] = text;
  }
  return filters;
}

/** The same filters as a query, in one order, so that equal filters are equal addresses. */
export function writeFilters(filters: Filters): string {
  const params = new URLSearchParams();
  for (const name of [...filterNames, "order"] as const) {
    const value = filters[name];
    if (value !== undefined && value !== "") params.set(name, value);
  }
  return params.toString();
}

/** Which of the choices a set of filters stands for; null for a combination that has no word. */
export function stateOf(filters: Filters): StateChoice | null {
  const set = stateNames.filter((name) => filters[name] !== undefined);
  const found = (Object.keys(stateChoices) as StateChoice[]).find((choice) => {
    const wanted: Filters = stateChoices[choice];
    return (
      set.length === Object.keys(wanted).length && set.every((name) => sameValue(filters[name], wanted[name]))
    );
  });
  return found ?? null;
}

/** The filters with another state. */
export function withState(filters: Filters, choice: StateChoice): Filters {
  const { approved: _a, reviewed: _r, queue_status: _q, ...rest } = filters;
  return { ...rest, ...stateChoices[choice] };
}

/** What the deck is asked for: it holds unreviewed posts whatever the address says of states. */
export function deckFilters(filters: Filters): Filters {
  const { held_by: _held, ...rest } = withState(filters, "all");
  return rest;
}

/** Query of the deck without `count`, from a place on where an earlier search stopped. */
export function deckQuery(filters: Filters, searchAfter: string | null): string {
  const query = writeFilters(deckFilters(filters));
  if (searchAfter === null) return query;
  return `${query}&search_after=${encodeURIComponent(searchAfter)}`.replace(/^&/, "");
}

/** Without what counts as set only when somebody set it: order and state. */
export function setFilters(filters: Filters): FilterName[] {
  return filterNames.filter(
    (name) => filters[name] !== undefined && !stateNames.includes(name as (typeof stateNames)[number]),
  );
}

/** `1`, `yes` and `TRUE` are true, as in the API. */
function sameValue(a: string | undefined, b: string | undefined): boolean {
  const plain = (value: string | undefined) =>
    /^(true|1|yes)$/i.test(value ?? "") ? "true" : /^(false|0|no)$/i.test(value ?? "") ? "false" : value;
  return plain(a) === plain(b);
}
