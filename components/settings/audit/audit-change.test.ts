import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "#components/words/en.ts";
import { switchNames } from "#lib/filters/schema.ts";
import { settingNames, streamSettings } from "#lib/streams/settings-schema.ts";
import { auditChange, auditLabel } from "./audit-change.ts";

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

/** Calls of `recordAudit` in the code, each up to the end of its arguments. */
const calls = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) =>
    readFileSync(path.join("lib", file), "utf8")
      .split(/recordAudit\((?=tx|db|\n)/)
      .slice(1)
      .map((call) => call.split(/\n {2,6}\}\);|\}\);/)[0] ?? ""),
  );

describe("the words of the audit log", () => {
  it("name every action in the code", () => {
    const actions = calls.flatMap((call) =>
      [...call.matchAll(/"([a-z_]+(?:\.[a-z_]+)+)"/g)].map((match) => match[1] ?? ""),
    );
    expect(actions.length).toBeGreaterThan(40);
    expect(actions.filter((action) => !(action in words.settings.audit.actions))).toEqual([]);
  });

  it("name every field in the code and every audited setting without an underscore", () => {
    const written = calls.flatMap((call) =>
      [...call.matchAll(/(?:before|after): \{([^{}]*)\}/g)].flatMap((match) =>
        (match[1] ?? "").split(",").flatMap((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1] ?? []),
      ),
    );
    expect(written).toContain("expires_at");
    for (const name of [...written, ...settingNames, ...switchNames]) {
      expect(auditLabel("stream.update", name), name).toMatch(/^[A-Z][^_{}]*$/);
      expect(auditLabel("settings.update", name), name).toMatch(/^[A-Z][^_{}]*$/);
    }
  });

  it("say every value of a stream's setting in words", () => {
    for (const name of settingNames) {
      const [line = ""] = auditChange(
        "stream.update",
        { [name]: null },
        { [name]: streamSettings[name].example },
      );
      expect(line, name).toMatch(/^[A-Z][^{}]*: none → /);
      expect(line, name).not.toMatch(/true|false|[{}[\]"]/);
    }
  });
});
