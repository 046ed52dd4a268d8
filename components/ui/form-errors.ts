import type { ApiFailure } from "#lib/client/api-failure.ts";

/** Each field has one sentence for all its errors, which says the valid input; `form` is for the fields together. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface FormErrors {
  /** Problem of a field of the form, also of an item of its list. */
  at: (field: string) => string | undefined;
  /** Problem of the whole form: shown above it, or at its only field. */
  form: string | undefined;
}

/** The server's refusal in the words of the form. The sentences of the API name its own fields. */
export function formErrors(words: FieldErrors, failure: ApiFailure | undefined): FormErrors {
  const fields = new Set(failure?.errors.map(({ path }) => path.split(".")[0] ?? ""));
  const known = [...fields].filter((field) => Object.hasOwn(words, field));
  return {
    at: (field) => (fields.has(field) ? words[field] : undefined),
    form: failure === undefined || known.length > 0 ? undefined : sentenceOf(failure, words),
  };
}

/** Refusals by state, such as a duplicate, are sentences of the server; its own failures are found by their request. */
function sentenceOf(
  { status, detail, requestId }: ApiFailure,
  words: Record<string, string>,
): string | undefined {
  if (status === 422 || status === 400) return words["form"] ?? "Change something first.";
  return status >= 500 && requestId !== null ? `${detail} (Request ${requestId})` : detail;
}
