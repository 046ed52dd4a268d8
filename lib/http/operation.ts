import type { z } from "zod";
import type { Scope } from "#lib/auth/permissions.ts";
import type { InlineCaller, Principal } from "#lib/auth/principal.ts";
import type { ApiError, ErrorCode } from "#lib/errors.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Path parameters as sent. */
type ParamsOf<P extends string> = Record<P, string>;

interface Common<P extends string, Q extends z.ZodType, B extends z.ZodType> {
  /** One line for the reference page. */
  summary: string;
  description?: string;
  tag: string;
  /**
   * Path parameters that are ids. A value that is not a positive integer gets the operation's `notFound`, after the body
   * was validated, as an unknown id does.
   */
  ids?: readonly P[];
  notFound?: (raw: string) => ApiError;
  query?: Q;
  /** Absent: a body is ignored. */
  body?: B;
  /** A missing or empty body counts as `{}`. */
  bodyOptional?: boolean;
  /** Schema of each successful status; null for an answer without a body. */
  responses: Partial<Record<200 | 201 | 204 | 206 | 304, z.ZodType | null>>;
  /** Additional headers of successful answers, name → description. For the OpenAPI document. */
  headers?: Partial<Record<200 | 201 | 204, Record<string, string>>>;
  /** Additional errors of this operation. For the OpenAPI document. */
  errors?: readonly ErrorCode[];
  /** Media type of an answer that is not JSON. For the OpenAPI document. */
  contentType?: string;
  /** No `HEAD`, because `GET` changes something. */
  noHead?: boolean;
  /** A GET that changes something, so sessions need the same-origin check. */
  changes?: boolean;
}

export interface Context<P extends string, Q extends z.ZodType, B extends z.ZodType> {
  /** Ids as numbers. */
  params: Record<P, number>;
  /** All path parameters as sent. */
  raw: ParamsOf<string>;
  query: z.output<Q>;
  body: z.output<B>;
  request: Request;
  requestId: string;
}

export interface KeyedOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> extends Common<
  P,
  Q,
  B
> {
  auth?: "required";
  scope: Scope;
  /**
   * `own`: changes only the streams a key is bound to, or nothing about posts. Bound keys are refused by other operations
   * that change something, so that a new operation is safe by default.
   */
  boundKeys?: "own";
  /** For signed-in members only; keys are refused. */
  sessionOnly?: boolean;
  handle: (context: Context<P, Q, B> & { principal: Principal }) => Promise<Reply>;
}

export interface InlineOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> extends Common<
  P,
  Q,
  B
> {
  /** The operation checks the key in its own database call. Invalid ids arrive as 0. */
  auth: "inline";
  scope: Scope;
  handle: (context: Context<P, Q, B> & { caller: InlineCaller }) => Promise<Reply>;
}

export interface OpenOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> extends Common<
  P,
  Q,
  B
> {
  auth: "none";
  scope?: undefined;
  handle: (context: Context<P, Q, B>) => Promise<Reply>;
}

/** An operation without its type parameters, for the route wrapper and the OpenAPI document. */
export type AnyOperation = Omit<Common<string, z.ZodType, z.ZodType>, "query" | "body"> & {
  auth?: "required" | "inline" | "none";
  scope?: Scope | undefined;
  sessionOnly?: boolean;
  boundKeys?: "own";
  query?: z.ZodType;
  body?: z.ZodType;
  handle: (context: never) => Promise<Reply>;
};

/** Declares an operation. The schemas give the handler the types of params, query and body. */
export function operation<
  P extends string = never,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
>(declaration: KeyedOperation<P, Q, B>): AnyOperation {
  return declaration;
}

/** Declares an operation that checks the key in its own database call. */
export function inlineOperation<
  P extends string = never,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
>(declaration: InlineOperation<P, Q, B>): AnyOperation {
  return declaration;
}

/** Declares an operation that needs no key. */
export function openOperation<
  P extends string = never,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
>(declaration: OpenOperation<P, Q, B>): AnyOperation {
  return declaration;
}

export interface RegisteredPath {
  base: string;
  path: string;
  operations: Partial<Record<Method, AnyOperation>>;
}

const registered = new Map<string, RegisteredPath>();

/** Registers a declared path for the OpenAPI document and for tests over all endpoints. */
export function register(base: string, path: string, operations: RegisteredPath["operations"]): void {
  registered.set(base + path, { base, path, operations });
}

/** All paths whose route file has been loaded, sorted. */
export function registeredPaths(): RegisteredPath[] {
  return [...registered.values()].sort((a, b) => (a.base + a.path < b.base + b.path ? -1 : 1));
}
