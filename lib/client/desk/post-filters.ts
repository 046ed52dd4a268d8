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

/** Review and queue state as one choice. */
export const stateChoices = {
  all: {},
  unreviewed: { reviewed: "false" },
  approved: { approved: "true" },
  waiting: { queue_status: "waiting" },
  delivered: { queue_status: "delivered" },
  error: { queue_status: "error" },
  rejected: { approved: "false" },
} as const satisfies Record<string, Filters>;
export type StateChoice = keyof typeof stateChoices;

const stateNames = ["approved", "reviewed", "queue_status"] as const;

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

/** Result of the checks as one choice. */
export const checkChoices = {
  reject: { ai_would_reject: "true" },
  unsure: { ai_result: "unsure" },
  fine: { ai_would_reject: "false" },
  not_checked: { ai_result: "not_checked" },
} as const satisfies Record<string, Filters>;
export type CheckChoice = keyof typeof checkChoices;

/** Null for none and for other combinations. */
export function checkChoiceOf({ ai_would_reject, ai_result }: Filters): CheckChoice | null {
  const found = (Object.keys(checkChoices) as CheckChoice[]).find((choice) => {
    const wanted: Filters = checkChoices[choice];
    return sameValue(ai_would_reject, wanted.ai_would_reject) && ai_result === wanted.ai_result;
  });
  return found ?? null;
}

export function withCheckChoice(filters: Filters, choice: CheckChoice | null): Filters {
  const { ai_would_reject: _reject, ai_result: _result, ...rest } = filters;
  return choice === null ? rest : { ...rest, ...checkChoices[choice] };
}

/** Null for other combinations. */
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

export function withState(filters: Filters, choice: StateChoice): Filters {
  const { approved: _a, reviewed: _r, queue_status: _q, ...rest } = filters;
  return { ...rest, ...stateChoices[choice] };
}

/** The deck always shows unreviewed posts. */
export function deckFilters(filters: Filters): Filters {
  const { held_by: _held, ...rest } = withState(filters, "all");
  return rest;
}

export function deckQuery(filters: Filters): string {
  return writeFilters(deckFilters(filters));
}

/** Filters in use, without a state that is a choice of its own. */
export function setFilters(filters: Filters): FilterName[] {
  const hidden: readonly string[] = stateOf(filters) === null ? [] : stateNames;
  return filterNames.filter((name) => filters[name] !== undefined && !hidden.includes(name));
}

/** `1`, `yes` and `true` in any letter case, as in the API. */
function sameValue(a: string | undefined, b: string | undefined): boolean {
  const plain = (value: string | undefined) =>
    /^(true|1|yes)$/i.test(value ?? "") ? "true" : /^(false|0|no)$/i.test(value ?? "") ? "false" : value;
  return plain(a) === plain(b);
}
