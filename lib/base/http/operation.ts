import type { z } from "zod";
import { ApiError, statusOf, type ErrorCode } from "#lib/base/errors.ts";
import type { Scope } from "./permissions.ts";
import type { InlineCaller, Principal } from "./principal.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Common<P extends string, Q extends z.ZodType, B extends z.ZodType> {
  /** `operationId`. Clients are generated with it, so it never changes. Absent outside the OpenAPI document. */
  id?: string | undefined;
  summary: string;
  description?: string;
  tag: string;
  /** Parameters of the path that are ids. Anything but a positive integer is answered as an unknown id, after the body was validated. */
  ids?: readonly P[];
  query?: Q;
  /** Absent: a body is ignored. */
  body?: B;
  /** A missing or empty body counts as `{}`. */
  bodyOptional?: boolean;
  /** Offers `dry_run` in the query and in the body, with this description of its answer; changes nothing then. */
  dryRun?: string;
  /** Schema of the body by successful status; null without a body. */
  responses: Partial<Record<200 | 201 | 204 | 206 | 304, z.ZodType | null>>;
  /** Headers of successful answers, name → description, for the OpenAPI document. */
  headers?: Partial<Record<200 | 201 | 204, Record<string, string>>>;
  /** Errors that the handler throws. The first one with status 404 answers unknown ids. */
  errors?: readonly ErrorCode[];
  /** Media type of an answer that is not JSON, for the OpenAPI document. */
  contentType?: string;
  /** `HEAD` is refused, because `GET` changes something. */
  noHead?: boolean;
  /** `GET` changes something, so a session needs the same-origin check. */
  changes?: boolean;
}

interface Context<P extends string, Q extends z.ZodType, B extends z.ZodType> {
  params: Record<P, number>;
  raw: Record<string, string>;
  query: z.output<Q>;
  body: z.output<B>;
  /** Always false without `dryRun` in the declaration. */
  dryRun: boolean;
  request: Request;
  requestId: string;
}

type KeyedOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> = Common<P, Q, B> & {
  auth?: "required";
  /** null for any valid key and any session. */
  scope: Scope | null;
  /** Callers with this scope are let in, too; the handler then checks what they ask for. */
  orScope?: Scope;
  /** Keys are refused. */
  sessionOnly?: boolean;
  /** A secret of the settings that is accepted in place of a key. The handler then has no principal. For reports only. */
  token?: () => string | undefined;
  handle: (context: Context<P, Q, B> & { principal: Principal }) => Promise<Reply>;
};

type InlineOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> = Common<P, Q, B> & {
  /** The operation checks the key in its own database call. */
  auth: "inline";
  scope: Scope;
  handle: (context: Context<P, Q, B> & { caller: InlineCaller }) => Promise<Reply>;
};

type OpenOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> = Common<P, Q, B> & {
  auth: "none";
  scope?: undefined;
  handle: (context: Context<P, Q, B>) => Promise<Reply>;
};

/** Any operation, without type parameters: for the route wrapper and the OpenAPI document. */
export type AnyOperation = Common<string, z.ZodType, z.ZodType> & {
  auth?: "required" | "inline" | "none";
  scope?: Scope | null | undefined;
  orScope?: Scope;
  sessionOnly?: boolean;
  token?: () => string | undefined;
  handle: (context: never) => Promise<Reply>;
};

/** The schemas give the handler the types of params, query and body; `auth` gives it the caller. */
export function operation<
  P extends string = never,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
>(declaration: KeyedOperation<P, Q, B> | InlineOperation<P, Q, B> | OpenOperation<P, Q, B>): AnyOperation {
  return declaration;
}

/** The 404 of an operation for an id that does not exist or is not one. `raw`: the id as sent. */
export function unknownId(op: Pick<AnyOperation, "errors">, raw: string): ApiError {
  return new ApiError(op.errors?.find((code) => statusOf(code) === 404) ?? "not_found", { id: raw });
}

export interface RegisteredPath {
  base: string;
  path: string;
  operations: Partial<Record<Method, AnyOperation>>;
}

const registered = new Map<string, RegisteredPath>();

/** Tests compare each answer with the declaration of its operation (tests/setup/verify-answer.ts). */
export const observer: {
  answered?: (path: string, method: Method, op: AnyOperation, response: Response) => Promise<void>;
} = {};

/** Notes a path for the OpenAPI document and for tests over all endpoints. */
export function register(base: string, path: string, operations: RegisteredPath["operations"]): void {
  registered.set(base + path, { base, path, operations });
}

/** Paths of the loaded route files, sorted. */
export function registeredPaths(): RegisteredPath[] {
  return [...registered.values()].sort((a, b) => (a.base + a.path < b.base + b.path ? -1 : 1));
}
