import { describe, expect, it } from "vitest";
import { GET as getAudit } from "#app/api/v1/audit/route.ts";
import { POST as block } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import { createResetLink } from "#lib/accounts/links.ts";
import { db } from "#lib/base/db.ts";
import type { Log } from "#lib/review/log-schema.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";
import { ask, invited, signedIn, type Who } from "./member-calls.ts";

const read = (who: Who) => ask<Log>(getAudit, who, "GET", "/api/v1/audit?limit=1000");

describe("the log", () => {
  it("shows e-mail addresses only to those who may list the members", async () => {
    const admin = await signedIn();
    const ben = await makeMember("viewer", { name: "Ben Okri", email: "ben.okri@private.example" });
    const invitation = await invited(admin, "cleo@private.example");
    await createResetLink(admin.me, ben.id);
    await ask(block, admin, "POST", "/api/v1/reblog-controls/blocked-users", {
      account_identifier: "@spam@public.example",
    });
    await db.audit_event.create({
      data: {
        actor: "Ben Okri",
        source: "screen",
        action: "member.link",
        subject: "Ben Okri <ben.okri@private.example>",
        after: { provider: "oidc", account_id: "ben.okri@private.example", more: ["x@private.example"] },
      },
    });
    const reviewerKey = await makeKey({ role: "reviewer" });
    const readKey = await makeKey({ scopes: ["read"] });
    const demoted = await makeMember("viewer");
    const demotedKey = await makeKey({ created_by: demoted.id, scopes: ["read", "manage"] });
    for (const who of [
      { key: reviewerKey },
      { key: readKey },
      { key: demotedKey },
      { headers: await sessionHeaders(await makeMember("viewer")) },
      { headers: await sessionHeaders(await makeMember("reviewer")) },
    ]) {
      const lines = await read(who);
      expect(lines.status).toBe(200);
      expect(lines.text).not.toContain("private.example");
      expect(lines.text).toContain("spam@public.example");
      expect(lines.json.items.find(({ action }) => action === "member.reset_link")?.subject).toBe("Ben Okri");
      expect(lines.json.items.find(({ action }) => action === "member.invite")?.subject).toBe(
        "(e-mail hidden)",
      );
    }
    for (const who of [admin, { key: await makeKey() }]) {
      expect((await read(who)).text).toContain(`"subject":"${invitation.email}"`);
    }
  });
});
