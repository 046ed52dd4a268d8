import { validationError } from "#lib/errors.ts";
import { normaliseInstance } from "./normalise-instance.ts";

/** The instance as it is stored. @throws ApiError 422 when it is no host, or a private one that is not allowed */
export function requireInstance(text: string): string {
  const check = normaliseInstance(text);
  if (check.ok) return check.host;
  throw validationError([{ path: "instance", message: check.reason }]);
}
