import { describe, expect, it } from "vitest";
import { auditChange } from "./audit-change.ts";

describe("audit change text", () => {
  it.each([
    ["member.role", { role: "viewer" }, { role: "admin" }, ["Role: Viewer → Admin"]],
    [
      "stream.update",
      { drop_replies: false, languages: [] },
      { drop_replies: true, languages: [] },
      ["Skip replies: off → on"],
    ],
    [
      "stream.update",
      { consent_policy: "opt-in" },
      { consent_policy: "moderate" },
      ["Consent policy: Opt-in → Moderate"],
    ],
    ["settings.update", { require_media: false }, { require_media: true }, ["Posts without media: off → on"]],
    ["stream.update", { require_media: false }, { require_media: true }, ["Only posts with media: off → on"]],
    [
      "key.generate",
      null,
      { id: 4, scopes: ["read", "consume"], stream_ids: [], expires_at: null },
      ["Scopes: Read, Consume"],
    ],
    ["key.generate", null, { expires_at: "2026-05-04T18:02:11.000Z" }, ["Expires: 2026-05-04 18:02 UTC"]],
    [
      "retention.update",
      { rejected_days: null },
      { rejected_days: 30 },
      ["Rejected posts (days): none → 30"],
    ],
    ["check.update", { threshold: 3 }, { threshold: 4 }, ["Threshold: 3 → 4"]],
    ["post.delete", null, null, []],
    ["queue.trim", 3, 4, ["3 → 4"]],
  ])("%s: %j, %j", (action, before, after, expected) =>
    expect(auditChange(action, before, after)).toEqual(expected),
  );

  it("truncates long values", () => {
    const [line = ""] = auditChange("blocked_user.create", null, { notes: "x".repeat(500) });
    expect(line).toBe(`Note: ${"x".repeat(79)}…`);
  });
});
