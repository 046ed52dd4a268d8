/** What a handler answers; the wrapper makes the response of it. */
export interface Reply {
  status: number;
  body?: unknown;
  /** Sent instead of JSON: a CSV, a picture. */
  raw?: BodyInit;
  headers?: Record<string, string>;
}

/** 200 with a JSON body. */
export function ok(body: unknown, headers?: Record<string, string>): Reply {
  return { status: 200, body, headers };
}

/** 201 with a JSON body and, where the new thing has an address, `Location`. */
export function created(body: unknown, location?: string): Reply {
  return { status: 201, body, headers: location === undefined ? {} : { Location: location } };
}

/** 204 without a body. */
export function noContent(headers?: Record<string, string>): Reply {
  return { status: 204, headers };
}

/** 200 with something that is not JSON. */
export function raw(body: BodyInit, contentType: string, headers: Record<string, string> = {}): Reply {
  return { status: 200, raw: body, headers: { "Content-Type": contentType, ...headers } };
}
