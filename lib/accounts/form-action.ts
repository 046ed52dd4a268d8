import { randomUUID } from "node:crypto";
import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import type { z } from "zod";
import { ApiError, type FieldError } from "#lib/base/errors.ts";
import type { Scope } from "#lib/base/http/permissions.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { knownError } from "#lib/base/http/reply.ts";
import { authorise, isSameOrigin, principalOfMember } from "./authenticate.ts";
import { currentMember } from "./current-member.ts";
import { parse } from "./route.ts";

/** The result that a form shows: a sentence, or a failure with its fields. */
export type Answer =
  | { said: string; leave?: string }
  | { failure: { status: number; detail: string; errors: FieldError[]; requestId: string } };
export type FormAction = (before: Answer | null, form: FormData) => Promise<Answer>;

/**
 * A server action of a form: session → origin → rights → fields → operation → the pages that show it. Exported from a file
 * with "use server". `read` gives the fields as `body` wants them; `run` says what was done, or with `leave` where a
 * browser goes that has lost its session.
 */
export function formAction<Body extends z.ZodType>(action: {
  scope: Scope;
  body: Body;
  read?: (form: FormData) => unknown;
  run: (me: Principal, body: z.output<Body>) => Promise<string | { said: string; leave: string }>;
}): FormAction {
  return async (_before, form) => {
    const requestId = randomUUID();
    try {
      const member = await currentMember();
      if (member === null) throw new ApiError("missing_key");
      if (!isSameOrigin({ headers: await headers() })) throw new ApiError("cross_site");
      const me = principalOfMember(member, member.session_id);
      authorise(me, action.scope);
      const body = parse(action.body, action.read?.(form) ?? Object.fromEntries(form), "body");
      const said = await action.run(me, body);
      if (typeof said !== "string") return said;
      revalidatePath("/", "layout");
      return { said };
    } catch (error) {
      const { status, message: detail, errors = [] } = knownError(requestId, error);
      return { failure: { status, detail, errors, requestId } };
    }
  };
}
