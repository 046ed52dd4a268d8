import { expect, test } from "vitest";
import { isOptOutReport } from "./opt-outs.ts";

test.each([
  ["Author opts out of bot interaction (nobot)", null],
  ["Author opts out of bot interaction (noindex)", { error_type: "noindex" }],
  ["author OPTED OUT of bot interaction", {}],
  ["anything", { error_type: "nobot" }],
  ["anything", { error_type: "NoBots" }],
])("%j with %j is an opt-out report", (reason, details) => {
  expect(isOptOutReport(reason, details)).toBe(true);
});

test.each([
  ["Status not found on fediverse", null],
  ["Permanent error reblogging post", {}],
  ["Duplicate attachment detected", { error_type: "duplicate_attachment", match_type: "dhash" }],
  ["Author adopts out of bot interaction", null],
  ["noindex", { error_type: 7 }],
  ["x", []],
])("%j with %j is not an opt-out report", (reason, details) => {
  expect(isOptOutReport(reason, details)).toBe(false);
});
