import { z } from "zod";
import { errorCodes, statusOf, type ErrorCode } from "#lib/base/errors.ts";
import { queryBoolean, stringField } from "./fields.ts";
import { type AnyOperation, type Method } from "./operation.ts";

const Code = z.enum(errorCodes).meta({ id: "ErrorCode", description: "Codes of this version." });

export const Failure = z
  .object({
    detail: stringField(
      "The error in one sentence for people.",
      "Post is in state 'delivered', expected 'pending'",
    ),
    code: z.union([Code, z.string()]).meta({
      description: "Stable name of the error for programs. A later version may add codes.",
      example: "wrong_state",
    }),
    state: z
      .string()
      .optional()
      .meta({ description: "State of the post, with a conflict (409).", example: "pending" }),
  })
  .meta({ id: "Error", description: "A refusal." });
export const ValidationFailure = z
  .object({
    detail: stringField(
      "`Validation error: <field>: <sentence>[; …]`",
      "Validation error: reason: must not be empty",
    ),
    code: z.literal("validation").describe("Stable name of the error for programs."),
    errors: z
      .array(
        z.object({
          path: stringField("The field; `body` or `query` when the whole is wrong.", "reason"),
          message: stringField("The error of the field.", "must not be empty"),
        }),
      )
      .describe("One entry for each invalid field."),
  })
  .meta({ id: "ValidationError" });

/** The query schema of an operation, with `dry_run` if the operation offers it. */
export function queryOf(op: AnyOperation): z.ZodType | undefined {
  if (op.dryRun === undefined) return op.query;
  const declared = op.query instanceof z.ZodObject ? op.query.shape : {};
  return z.object({ ...declared, dry_run: queryBoolean(`${op.dryRun} Also read from the body.`).optional() });
}

/** Names in a path such as `/posts/{id}`. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** Errors that an operation can answer: the declared ones, and those that follow from its declaration. */
export function refusalCodes(path: string, method: Method, op: AnyOperation): ErrorCode[] {
  const codes = new Set<ErrorCode>(op.errors);
  if (op.auth !== "none") {
    codes.add("missing_key").add("invalid_key");
    if (op.scope !== null) codes.add(op.sessionOnly ? "session_only" : "scope_missing").add("role_forbidden");
    const changes = method !== "GET" || op.changes === true || op.auth === "inline";
    if (changes) codes.add("cross_site");
  }
  if (op.body || queryOf(op)) codes.add("validation");
  if (op.body) codes.add("invalid_json");
  if (op.body || op.dryRun !== undefined) codes.add("body_too_large");
  if (parameterNames(path).length > 0 && ![...codes].some((code) => statusOf(code) === 404))
    codes.add("not_found");
  // Looking up a key needs the database.
  if (op.auth !== "none") {
    codes.add("database_away").add("database_unwritable").add("database_canceled").add("busy");
  }
  return [...codes.add("internal")];
}
