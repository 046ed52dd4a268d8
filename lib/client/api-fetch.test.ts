import { describe, expect, it, vi } from "vitest";
import { ApiFailure } from "./api-failure.ts";
import { apiFetch } from "./api-fetch.ts";

function answerWith(answer: Response | Error) {
  const fetched = vi.fn<typeof fetch>(() =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  const thrown: unknown = await promise.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(ApiFailure);
  return thrown;
}

describe("apiFetch", () => {
  it("requests below /api/v1 with the session cookie and returns the JSON", async () => {
    const fetched = answerWith(Response.json({ total: 3 }));
    expect(await apiFetch<{ total: number }>("/posts?limit=1")).toEqual({ total: 3 });
    expect(fetched).toHaveBeenCalledExactlyOnceWith("/api/v1/posts?limit=1", {
      method: "GET",
      credentials: "same-origin",
      headers: { accept: "application/json" },
    });
  });

  it("sends a body as JSON, null and false included", async () => {
    const fetched = answerWith(Response.json({}));
    await apiFetch("/posts/1", { method: "PATCH", body: { approved: null } });
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      method: "PATCH",
      body: '{"approved":null}',
      headers: { "content-type": "application/json" },
    });
  });

  it("throws an error with status, message, request id and fields", async () => {
    const said = { detail: "Validation error", errors: [{ path: "hashtag", message: "Required" }] };
    answerWith(Response.json(said, { status: 422, headers: { "x-request-id": "req_1" } }));
    const failure = await refusal(apiFetch("/streams", { method: "POST", body: {} }));
    expect(failure).toMatchObject({ ...said, status: 422, requestId: "req_1", retryAfter: null });
  });

  it("says that the session has ended, in place of a missing key", async () => {
    answerWith(Response.json({ detail: "Missing X-API-Key header" }, { status: 401 }));
    const detail = "You are signed out. Reload the page to sign in again";
    expect(await refusal(apiFetch("/streams"))).toMatchObject({ detail });
  });

  it("reads an error page that is not JSON", async () => {
    answerWith(new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "7" } }));
    const detail = "The server answered 502";
    expect(await refusal(apiFetch("/stats"))).toMatchObject({
      status: 502,
      detail,
      retryAfter: 7,
      errors: [],
    });
  });

  it.each([new TypeError("Failed to fetch"), new DOMException("signal timed out", "TimeoutError")])(
    "throws status 0 without an answer: %s",
    async (thrown) => {
      answerWith(thrown);
      expect(await refusal(apiFetch("/stats", { signal: AbortSignal.abort() }))).toMatchObject({
        status: 0,
        detail: "The server could not be reached",
      });
    },
  );
});
