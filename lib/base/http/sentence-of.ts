import type { z } from "zod";

/** Sentences by zod's name of the expected type. */
const kinds: Record<string, string> = {
  string: "must be a text",
  number: "must be a number",
  int: "must be an integer",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
  null: "must be null",
};

const formats: Record<string, string> = {
  uuid: "must be a UUID",
  email: "must be an e-mail address",
  datetime: "must be an ISO 8601 time",
};

const units: Record<string, string> = { string: "characters", array: "entries" };

/**
 * Zod issues in the API's wording ("must be at least 1"). Passed to `safeParse` as `error`; messages of a schema take
 * precedence. Undefined: zod's message.
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : kinds[issue.expected];
    case "invalid_value":
      return issue.input === undefined
        ? "is missing"
        : `must be ${issue.values.length > 1 ? "one of " : ""}${listOf(issue.values)}`;
    case "too_small":
      return bound(issue.origin, "least", Number(issue.minimum), issue.inclusive === false);
    case "too_big":
      return bound(issue.origin, "most", Number(issue.maximum), issue.inclusive === false);
    case "invalid_format":
      return formats[issue.format];
    default:
      return undefined;
  }
}

function listOf(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ");
}

function bound(
  origin: string,
  side: "least" | "most",
  limit: number,
  isOutside: boolean,
): string | undefined {
  if (origin === "number" || origin === "int") {
    return isOutside
      ? `must be ${side === "least" ? "more" : "less"} than ${limit}`
      : `must be at ${side} ${limit}`;
  }
  const unit = units[origin];
  if (unit === undefined) return undefined;
  return limit === 1 && side === "least" ? "must not be empty" : `must have at ${side} ${limit} ${unit}`;
}
