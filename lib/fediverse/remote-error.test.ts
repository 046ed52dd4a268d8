import { describe, expect, it } from "vitest";
import { RemoteError, apiErrorOf } from "./remote-error.ts";

describe("remoteError", () => {
  it.each([
    ["timeout", "remote_timeout", 504],
    ["needs_token", "remote_failed", 502],
    ["rate_limited", "remote_failed", 502],
    ["wait", "remote_waiting", 503],
  ] as const)("converts %s to %s (%i) with its sentence", (kind, code, status) => {
    expect(apiErrorOf(new RemoteError(kind, "It said no."))).toMatchObject({
      code,
      status,
      message: "It said no.",
    });
  });

  it.each([
    [null, "1"],
    [-5_000, "1"],
    [200, "1"],
    [90_500, "91"],
  ])("converts a wait of %j ms to Retry-After %s", (ms, seconds) => {
    const retry_at = ms === null ? null : new Date(Date.now() + ms);
    const { headers } = apiErrorOf(new RemoteError("wait", "It asked us to wait.", { retry_at }));
    expect(headers).toEqual({ "Retry-After": seconds });
  });
});
