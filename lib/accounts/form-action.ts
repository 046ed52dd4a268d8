import { randomUUID } from "node:crypto";
import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import type { z } from "zod";
import { ApiError, type FieldError } from "#lib/base/errors.ts";
import type { Scope } from "#lib/base/http/permissions.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { knownError } from "#lib/base/http/reply.ts";
import { authorise, isSameOrigin, principalOfMember } from "./authenticate.ts";
import { currentMember, type CurrentMember } from "./current-member.ts";
import { parse } from "./route.ts";

/**
 * Answer of an action that succeeded. `said`: a sentence about it. `open`: the page that is shown next. `leave`: where a
 * browser goes that has lost its session. `made`: a value that the form shows or uses.
 */
export interface Done<Made> {
  said: string;
  open?: string;
  leave?: string;
  made?: Made;
}
export type Answer<Made = unknown> =
  | Done<Made>
  | { failure: { status: number; detail: string; errors: FieldError[]; requestId: string } };
/** `given`: the fields of a form, or of a script. */
export type FormAction<Made = unknown> = (before: unknown, given: FormData | object) => Promise<Answer<Made>>;

/**
 * A server action of a form: session → origin → rights → fields → operation → the pages that show it. Exported from a file
 * with "use server". `read` gives the fields of a form as `body` wants them; `refresh` is false where nothing that is
 * shown changes.
 */
export function formAction<Body extends z.ZodType, Made = never>(action: {
  scope: Scope;
  body: Body;
  read?: (form: FormData) => unknown;
  refresh?: boolean;
  run: (me: Principal, body: z.output<Body>, member: CurrentMember) => Promise<string | Done<Made>>;
}): FormAction<Made> {
  return async (_before, given) => {
    const requestId = randomUUID();
    try {
      const member = await currentMember();
      if (member === null) throw new ApiError("missing_key");
      if (!isSameOrigin({ headers: await headers() })) throw new ApiError("cross_site");
      const me = principalOfMember(member, member.session_id);
      authorise(me, action.scope);
      const fields = given instanceof FormData ? (action.read ?? Object.fromEntries)(given) : given;
      const done = await action.run(me, parse(action.body, fields, "body"), member);
      const answer = typeof done === "string" ? { said: done } : done;
      if (action.refresh !== false && answer.leave === undefined) revalidatePath("/", "layout");
      return answer;
    } catch (error) {
      const { status, message, errors = [] } = knownError(requestId, error);
      const detail = status === 401 ? "You are signed out. Reload the page to sign in again" : message;
      return { failure: { status, detail, errors, requestId } };
    }
  };
}
