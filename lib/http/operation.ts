import type { z } from "zod";
import type { Scope } from "#lib/auth/permissions.ts";
import type { InlineCaller, Principal } from "#lib/auth/principal.ts";
import type { ApiError, ErrorCode } from "#lib/errors.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An id in a path. `raw` is what was sent: texts such as `Post abc not found` show it. */
type ParamsOf<P extends string> = Record<P, string>;

interface Common<P extends string, Q extends z.ZodType, B extends z.ZodType> {
  /** One line for the reference page. */
  summary: string;
  description?: string;
  tag: string;
  /**
   * Path parameters that are ids (contract §1): a positive integer, else the operation's "unknown" answer,
   * given after the body was judged, as if the id had been looked up and not found.
   */
  ids?: readonly P[];
  notFound?: (raw: string) => ApiError;
  query?: Q;
  /** Absent: whatever body comes is ignored. */
  body?: B;
  /** No body, or an empty one, is as good as `{}`. */
  bodyOptional?: boolean;
  /** Schema of each successful status; null for an answer without a body. */
  responses: Partial<Record<200 | 201 | 204 | 206 | 304, z.ZodType | null>>;
  /** Headers of successful answers, beside those every answer has: name → what it says. For the OpenAPI document. */
  headers?: Partial<Record<200 | 201 | 204, Record<string, string>>>;
  /** Refusals of its own, beside those every operation has. For the OpenAPI document. */
  errors?: readonly ErrorCode[];
  /** Answers something else than JSON. For the OpenAPI document. */
  contentType?: string;
  /** `HEAD` would do what `GET` does, so it is not offered. */
  noHead?: boolean;
  /** A GET that changes something: a session needs the same-origin check. */
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
   * `own`: what it changes keeps to the streams a key is bound to, or concerns no posts. Without it an operation that
   * changes something is refused to a bound key, so that a new one cannot be forgotten.
   */
  boundKeys?: "own";
  /** For members who are signed in; a key is refused whatever its scopes. */
  sessionOnly?: boolean;
  handle: (context: Context<P, Q, B> & { principal: Principal }) => Promise<Reply>;
}

export interface InlineOperation<P extends string, Q extends z.ZodType, B extends z.ZodType> extends Common<
  P,
  Q,
  B
> {
  /** The operation checks the key in its own call to the database. Unknown ids arrive as 0. */
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

/** An operation with its types forgotten, as the wrapper and the document see it. */
export type AnyOperation = Omit<Common<string, z.ZodType, z.ZodType>, "query" | "body"> & {
  auth?: "required" | "inline" | "none";
  scope?: Scope | undefined;
  sessionOnly?: boolean;
  boundKeys?: "own";
  query?: z.ZodType;
  body?: z.ZodType;
  handle: (context: never) => Promise<Reply>;
};

/** Declares an operation; the types of params, query and body flow into its handler. */
export function operation<
  P extends string = never,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
>(declaration: KeyedOperation<P, Q, B>): AnyOperation {
  return declaration;
}

/** Declares an operation whose key is checked inside its own database call. */
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
