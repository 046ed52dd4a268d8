import type { z } from "zod";
import type { AnyOperation, Method } from "#lib/base/http/operation.ts";
import { Failure, refusalCodes, ValidationFailure } from "#lib/base/http/refusals.ts";

/**
 * Compares an answer of any status with the declaration of its operation.
 *
 * @throws Error when the status, a field or the code of a refusal is not declared
 */
export async function verifyAnswer(
  path: string,
  method: Method,
  op: AnyOperation,
  response: Response,
): Promise<void> {
  const { status, headers } = response;
  const fail = (problem: string) => {
    throw new Error(`${method} ${path} answered ${status}: ${problem}`);
  };
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = isJson ? await response.clone().json() : undefined;
  if (status >= 400) {
    const { code } = body as { code: string };
    if (!refusalCodes(path, method, op).some((each) => each === code))
      fail(`code ${code} is not declared for it`);
    // A retry does not help without CRON_SECRET.
    if (status === 503 && code !== "cron_closed" && !headers.has("retry-after"))
      fail("Retry-After is missing");
  }
  const schema = status >= 400 ? (status === 422 ? ValidationFailure : Failure) : op.responses[status as 200];
  if (schema === undefined) return fail("the status is not declared for it");
  if (schema !== null && body !== undefined) compare(schema, body, fail);
}

function compare(schema: z.ZodType, body: unknown, fail: (problem: string) => void): void {
  const { data, error } = schema.safeParse(body);
  if (error !== undefined) return fail(`its schema does not allow this: ${error.message}`);
  // An object's schema drops fields that it does not have.
  const dropped = differences(body, data, "");
  if (dropped.length > 0) fail(`its schema lacks ${dropped.join(", ")}`);
}

function differences(sent: unknown, read: unknown, at: string): string[] {
  if (typeof sent !== "object" || sent === null) return sent === read ? [] : [at];
  if (typeof read !== "object" || read === null) return [at];
  // zod does not read `__proto__`, a field of free-form objects.
  const fields = Object.entries(sent).filter(([name]) => name !== "__proto__");
  return fields.flatMap(([name, value]) =>
    name in read
      ? differences(value, (read as Record<string, unknown>)[name], `${at}/${name}`)
      : [`${at}/${name}`],
  );
}
