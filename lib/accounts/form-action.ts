import { randomUUID } from "node:crypto";
import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { ApiError, type FieldError } from "#lib/base/errors.ts";
import type { Scope } from "#lib/base/http/permissions.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { knownError } from "#lib/base/http/reply.ts";
import { authorise, isSameOrigin, principalOfMember } from "./authenticate.ts";
import { currentMember, type CurrentMember } from "./current-member.ts";
import { parse } from "./route.ts";

/** Response of an action that succeeded. */
export interface ActionSuccess<Result> {
  /** The sentence of the toast; "" for none. */
  message: string;
  /** Path of the page that is opened next, within the application. */
  redirectTo?: string;
  /** Path that the browser loads anew: its session has ended, or the present page does not exist any more. */
  leaveTo?: string;
  /** A value that the form shows or uses. */
  result?: Result;
}
export type ActionResponse<Result = unknown> =
  | ActionSuccess<Result>
  | { failure: { status: number; detail: string; errors: FieldError[]; requestId: string } };
export type FormAction<Result = unknown> = (
  previous: unknown,
  fields: FormData | object,
) => Promise<ActionResponse<Result>>;

/** An id in a form. */
export const formId = z.coerce.number().int().positive();

interface ActionDeclaration<Body extends z.ZodType, Result> {
  scope: Scope;
  body: Body;
  /** Reads the fields of a form into the shape of `body`. Default: each field by its name. */
  read?: (form: FormData) => unknown;
  /** False when no page shows what the action changes. */
  refresh?: boolean;
  /** The operation. A text is the message of a success without a result. */
  run: (
    me: Principal,
    body: z.output<Body>,
    member: CurrentMember,
  ) => Promise<string | ActionSuccess<Result>>;
}

/**
 * A server action of a form: session → origin → rights → fields → operation → render the pages again. Export it from a
 * file with "use server". It never throws: an error is the response's `failure`.
 */
export function formAction<Body extends z.ZodType, Result = never>(
  action: ActionDeclaration<Body, Result>,
): FormAction<Result> {
  return async (_previous, given) => {
    const requestId = randomUUID();
    try {
      const member = await currentMember();
      if (member === null) throw new ApiError("missing_key");
      if (!isSameOrigin({ headers: await headers() })) throw new ApiError("cross_site");
      const me = principalOfMember(member, member.session_id);
      authorise(me, action.scope);
      const fields = given instanceof FormData ? (action.read ?? Object.fromEntries)(given) : given;
      const done = await action.run(me, parse(action.body, fields, "body"), member);
      const success = typeof done === "string" ? { message: done } : done;
      if (action.refresh !== false && success.leaveTo === undefined) revalidatePath("/", "layout");
      return success;
    } catch (error) {
      const { status, message, errors = [] } = knownError(requestId, error);
      const detail = status === 401 ? "You are signed out. Reload the page to sign in again" : message;
      return { failure: { status, detail, errors, requestId } };
    }
  };
}
