import { ApiFailure, type FieldProblem } from "./api-failure.ts";

export interface ApiFetchOptions {
  method?: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Calls the API with the session cookie.
 *
 * @param path below /api/v1 (`/posts?limit=20`) or full (`/api/auth/…`)
 *
 * @returns parsed JSON, or undefined for 204
 * @throws ApiFailure for status 400 and above, and with status 0 without a response, also when a
 *   timeout ended it. An abort is rethrown.
 */
export async function apiFetch<T>(path: string, options: ApiFetchOptions = {}): Promise<T> {
  const { method = "GET", body, signal } = options;
  let response: Response;
  try {
    response = await fetch(path.startsWith("/api/") ? path : `/api/v1${path}`, {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === "AbortError") throw thrown;
    throw new ApiFailure({ status: 0, detail: "The server could not be reached" });
  }
  const { status } = response;
  if (status === 204) return undefined as T;
  const requestId = response.headers.get("x-request-id");
  // An error page of a proxy is not JSON.
  const answer: unknown = await response.json().catch(() => null);
  if (status >= 400) {
    const seconds = response.headers.get("retry-after");
    const { detail, code = null, errors = [] } = (answer ?? {}) as Problem;
    throw new ApiFailure({
      status,
      // The API's detail is about keys; this one is for signed-in members.
      detail:
        status === 401
          ? "You are signed out. Reload the page to sign in again"
          : (detail ?? `The server answered ${status}`),
      code,
      requestId,
      errors,
      retryAfter: seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : null,
    });
  }
  if (answer === null)
    throw new ApiFailure({ status, detail: "The server's answer could not be read", requestId });
  return answer as T;
}

/** Error body of the API. */
interface Problem {
  detail?: string;
  code?: string;
  errors?: FieldProblem[];
}
