import {
  consentPolicies,
  kinds,
  reasonAbouts,
  scopeWords,
  streamFields,
  switchLabels,
} from "#components/words.ts";

const values = {
  role: { admin: "Admin", reviewer: "Reviewer", viewer: "Viewer" },
} as const;

/** Fields without a form of their own. */
const fields = {
  account_id: "Account",
  account_identifier: "Account or pattern",
  address_prefix: "Network",
  api_key_id: "Key",
  expires_at: "Expires",
  label: "Reason",
  last_characters: "Ends with",
  notes: "Note",
  pattern_type: "Matches",
  place: "Key at the desk",
  post_id: "Post",
  shown: "Shown to reviewers",
  sign_in_with: "Sign-in services",
  stream_id: "Stream",
  stream_ids: "Streams",
  topical_day_of_week: "Day of the week",
  topical_month_day: "Day of the year",
  url: "Address",
  votes: "Counts in the advice",
  why: "Reason",
} as Readonly<Record<string, string>>;

/** Longer values are truncated. */
const LONGEST = 80;

/** Labels of fields with a form are those of the form. */
const ofForms: Record<string, string> = {
  ...named(streamFields, ({ label }) => label),
  ...named(kinds, (label) => `${label} (days)`, "_days"),
};
const ofSwitches: Record<string, string> = switchLabels;

const ofValues: Record<string, Record<string, string>> = {
  ...values,
  consent_policy: named(consentPolicies, ({ name }) => name),
  scopes: named(scopeWords, ({ name }) => name),
  about: reasonAbouts,
};

function named<Word>(
  table: Record<string, Word>,
  text: (word: Word) => string,
  end = "",
): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([name, word]) => [name + end, text(word)]));
}

/** "Skip replies: off → on". Fields without a label are named after their key. */
export function auditLabel(action: string, name: string): string {
  const switched = action.startsWith("settings.") ? ofSwitches[name] : undefined;
  return switched ?? ofForms[name] ?? fields[name] ?? readable(name);
}

/**
 * @param before null for a new object
 *
 * @param after null for a deleted object
 */
export function auditChange(action: string, before: unknown, after: unknown): string[] {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => name !== "id");
  return names.flatMap((name) => {
    const [from, to] = [was[name], is[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const label = name === "" ? "" : `${auditLabel(action, name)}: `;
    if (from === undefined || before === null) return isEmpty(to) ? [] : [label + short(name, to)];
    if (to === undefined && after === null) return isEmpty(from) ? [] : [label + short(name, from)];
    return [`${label}${short(name, from)} → ${short(name, to)}`];
  });
}

function readable(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  return typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { "": value };
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function short(name: string, value: unknown): string {
  const text = plain(name, value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}

function plain(name: string, value: unknown): string {
  if (isEmpty(value)) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map((each) => plain(name, each)).join(", ");
  if (typeof value === "object")
    return Object.entries(value as object)
      .map(([part, each]) => `${readable(part)} ${plain(part, each)}`)
      .join(", ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return `${text.slice(0, 16).replace("T", " ")} UTC`;
  return ofValues[name]?.[text] ?? text;
}
