import { describe, expect, it } from "vitest";
import { corsHeaders } from "./cors.ts";

const allowed = ["https://app.example"];

describe("corsHeaders", () => {
  it("sends no headers when no origin is listed", () => {
    expect(corsHeaders("https://app.example", [])).toEqual({});
  });

  it.each(["https://evil.example", "http://app.example", "https://app.example.evil.example", "null", null])(
    "does not allow the unlisted origin %s",
    (origin) => {
      expect(corsHeaders(origin, allowed, "GET")).toEqual({ Vary: "Origin" });
    },
  );

  it("allows a listed origin without credentials", () => {
    const headers = corsHeaders("https://app.example", allowed);
    expect(headers).toMatchObject({
      "Access-Control-Allow-Origin": "https://app.example",
      Vary: "Origin",
    });
    expect(headers["Access-Control-Expose-Headers"]).toContain("X-Reservation-Id");
    expect(headers).not.toHaveProperty("Access-Control-Allow-Credentials");
    expect(headers).not.toHaveProperty("Access-Control-Allow-Methods");
  });

  it("lists the allowed methods and headers in a preflight", () => {
    expect(corsHeaders("https://app.example", allowed, "GET, HEAD, OPTIONS")).toMatchObject({
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, X-API-Key, X-Request-Id",
    });
  });
});
