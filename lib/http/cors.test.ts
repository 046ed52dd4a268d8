import { describe, expect, it } from "vitest";
import { corsHeaders } from "./cors.ts";

const allowed = ["https://app.example"];

describe("corsHeaders", () => {
  it("is off unless an origin is listed", () => {
    expect(corsHeaders("https://app.example", [])).toEqual({});
  });

  it.each(["https://evil.example", "http://app.example", "https://app.example.evil.example", "null", null])(
    "opens nothing to %s",
    (origin) => {
      expect(corsHeaders(origin, allowed, "GET")).toEqual({ Vary: "Origin" });
    },
  );

  it("opens to a listed origin, without its credentials", () => {
    const headers = corsHeaders("https://app.example", allowed);
    expect(headers).toMatchObject({
      "Access-Control-Allow-Origin": "https://app.example",
      Vary: "Origin",
    });
    expect(headers["Access-Control-Expose-Headers"]).toContain("X-Reservation-Id");
    expect(headers).not.toHaveProperty("Access-Control-Allow-Credentials");
    expect(headers).not.toHaveProperty("Access-Control-Allow-Methods");
  });

  it("answers a preflight with what the path allows", () => {
    expect(corsHeaders("https://app.example", allowed, "GET, HEAD, OPTIONS")).toMatchObject({
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, X-API-Key, X-Request-Id",
    });
  });
});
