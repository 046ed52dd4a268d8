/** Filters that only `GET /posts` has. */
export const listFilterNames = [
  "held_by",
  "reviewer",
  "reviewed_by",
  "auto_rejected",
  "auto_reject_reason",
  "reject_reason",
  "error_reason",
  "warned_by",
] as const;
/** Filters of `GET /posts` and of the deck. */
export const filterNames = [
  "q",
  "stream_id",
  "seen_in",
  "approved",
  "reviewed",
  "queue_status",
  "ai_would_reject",
  "ai_result",
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

/** Review and queue state as one choice. Values are parameters of the address. */
export const stateChoices = {
  all: "",
  unreviewed: "reviewed=false",
  approved: "approved=true",
  waiting: "queue_status=waiting",
  delivered: "queue_status=delivered",
  error: "queue_status=error",
  rejected: "approved=false",
} as const;
export type StateChoice = keyof typeof stateChoices;

const stateNames = ["approved", "reviewed", "queue_status"] as const;
/** Result of the checks as one choice. */
const checkNames = ["ai_would_reject", "ai_result"] as const;

/** Invalid values are kept for the server to report. */
export function readFilters(params: URLSearchParams): Filters {
  const filters: Filters = {};
  for (const name of [...filterNames, "order"] as const) {
    // The last of repeated values counts, as in the API.
    const value = params.getAll(name).at(-1);
    // Compared exactly, so trailing spaces count.
    const text = name === "error_reason" ? value : value?.trim();
    if (text) filters[name] = text;
  }
  return filters;
}

/** In a fixed order, so that equal filters give equal addresses. */
export function writeFilters(filters: Filters): string {
  const params = new URLSearchParams();
  for (const name of [...filterNames, "order"] as const) {
    const value = filters[name];
    if (value !== undefined && value !== "") params.set(name, value);
  }
  return params.toString();
}

/** The given filters as parameters of the address. */
function choiceOf(names: readonly FilterName[], filters: Filters): string {
  return names.flatMap((name) => (filters[name] === undefined ? [] : `${name}=${filters[name]}`)).join("&");
}

function withChoice(names: readonly FilterName[], filters: Filters, choice: string): Filters {
  const others = Object.entries(filters).filter(([name]) => !names.some((each) => each === name));
  return { ...Object.fromEntries(others), ...readFilters(new URLSearchParams(choice)) };
}

export const checkChoiceOf = (filters: Filters) => choiceOf(checkNames, filters);
export const withCheckChoice = (filters: Filters, choice: string) => withChoice(checkNames, filters, choice);

/** The choice for the state filters, or null for another combination. */
export function stateOf(filters: Filters): StateChoice | null {
  const wanted = choiceOf(stateNames, filters);
  return (Object.keys(stateChoices) as StateChoice[]).find((each) => stateChoices[each] === wanted) ?? null;
}

export function withState(filters: Filters, choice: StateChoice): Filters {
  return withChoice(stateNames, filters, stateChoices[choice]);
}

/** The deck always shows unreviewed posts. */
export function deckFilters(filters: Filters): Filters {
  const { held_by: _held, ...rest } = withState(filters, "all");
  return rest;
}

export function deckQuery(filters: Filters): string {
  return writeFilters(deckFilters(filters));
}

/** Names of the filters in use, without state filters that equal a choice. */
export function setFilters(filters: Filters): FilterName[] {
  const hidden: readonly string[] = stateOf(filters) === null ? [] : stateNames;
  return filterNames.filter((name) => filters[name] !== undefined && !hidden.includes(name));
}
