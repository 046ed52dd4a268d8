import { ApiFailure, type FieldProblem } from "./api-failure.ts";

export interface ApiFetchOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * @param path below /api/v1 (`/posts?limit=20`) or full (`/api/v1/…`, `/health`)
 *
 * @returns parsed JSON, or undefined for 204
 * @throws ApiFailure for status 400 and above, and with status 0 without an answer. An abort is
 *   rethrown.
 */
export async function apiFetch<T>(path: string, options: ApiFetchOptions = {}): Promise<T> {
  const response = await apiRequest(path, options);
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  if (text === "") return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiFailure({
      status: response.status,
      detail: "The server's answer could not be read",
      requestId: response.headers.get("x-request-id"),
    });
  }
}

/** With access to the headers. */
export async function apiRequest(path: string, options: ApiFetchOptions = {}): Promise<Response> {
  const { method = "GET", body, signal, headers } = options;
  let response: Response;
  try {
    response = await fetch(apiUrl(path), {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new ApiFailure({ status: 0, detail: "The server could not be reached" });
  }
  if (response.status >= 400) throw await readFailure(response);
  return response;
}

/** Full paths are unchanged. */
export function apiUrl(path: string): string {
  return /^\/(api\/|media\/|health$|info$|livez$|readyz$)/.test(path) ? path : `/api/v1${path}`;
}

async function readFailure(response: Response): Promise<ApiFailure> {
  const requestId = response.headers.get("x-request-id");
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  let detail = `The server answered ${response.status}`;
  let code: string | null = null;
  let state: string | null = null;
  let errors: FieldProblem[] = [];
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null) {
      if ("detail" in body && typeof body.detail === "string") detail = body.detail;
      if ("code" in body && typeof body.code === "string") code = body.code;
      if ("state" in body && typeof body.state === "string") state = body.state;
      if ("errors" in body && Array.isArray(body.errors)) errors = body.errors.filter(isFieldProblem);
    }
  } catch {
    // Not JSON, such as a proxy's page.
  }
  // For a person; the API's text is about keys.
  if (response.status === 401) detail = "You are signed out. Reload the page to sign in again";
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  return new ApiFailure({ status: response.status, detail, code, state, requestId, errors, retryAfter });
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    typeof value.path === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}
