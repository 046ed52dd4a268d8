import fc from "fast-check";
import { expect, it } from "vitest";
import { callbackPath } from "./callback-path.ts";

it.each([
  ["/review", "/review"],
  ["/review?order=newest&q=a%20b#top", "/review?order=newest&q=a%20b#top"],
  ["https://sluice.example/queue", "/queue"],
  ["https://sluice.example", "/"],
  [null, "/"],
  ["", "/"],
  ["review", "/"],
  ["//evil.example/x", "/"],
  ["/\\evil.example/x", "/"],
  ["\\\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["///evil.example", "/"],
  ["https://evil.example/queue", "/"],
  ["https://sluice.example.evil.example/queue", "/"],
  ["javascript:alert(1)", "/"],
  ["http://here.invalid/queue", "/"],
  ["http://here.invalid//evil.example", "/"],
  ["https://sluice.example//evil.example", "/"],
  ["/api/auth/signout", "/"],
  ["/sign-in?callbackUrl=/sign-in", "/"],
  ["/.//evil.example", "/"],
])("callbackPath turns %j into %j", (wanted, expected) => {
  expect(callbackPath(wanted, "https://sluice.example")).toBe(expected);
});

it("callbackPath never leaves the origin", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    "//",
    "evil.example",
    "http:",
    "https:",
    "@",
    ".",
    "..",
    "\t",
    "?",
    "#",
    "x",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((parts) => parts.join("")),
      ),
      (wanted) => {
        const path = callbackPath(wanted, "https://sluice.example");
        expect(new URL(path, "https://sluice.example").origin).toBe("https://sluice.example");
        expect(path).toMatch(/^\/(?![/\\])/);
      },
    ),
  );
});
