import { describe, expect, it } from "vitest";
import { createInvitation, createResetLink, listLinks, readLink, revokeLink } from "#lib/accounts/links.ts";
import { admitProvider } from "#lib/accounts/provider-sign-in.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";
import { type Actor, address, changeMember, invited, signedIn, tokenOf, useLink } from "./member-calls.ts";

const client = { browser: null, address_prefix: null };

const resetFor = async ({ me }: Actor, id: number) => tokenOf((await createResetLink(me, id)).url);

const use = (kind: "invitation" | "reset", token: string) => useLink({ kind, token });
describe.each([
  ["is disabled", { disabled: true }, { disabled: false }],
  ["loses the right to manage", { role: "reviewer" }, { role: "admin" }],
])("when its maker %s", (_name, taken, returned) => {
  it("an invitation or reset link ends, also after the right is given back", async () => {
    const [chief, maker] = [await signedIn(), await signedIn()];
    const ben = await makeMember("viewer");
    const invitation = await invited(maker, address(), "admin");
    const reset = await resetFor(maker, ben.id);
    const kept = await resetFor(chief, (await makeMember("viewer")).id);
    expect((await changeMember(chief, maker.member.id, taken)).status).toBe(200);
    const dead = async () => {
      expect(await readLink("invite", invitation.token)).toBeNull();
      expect(await readLink("reset", reset)).toBeNull();
      expect(await use("invitation", invitation.token)).toContain("error=LinkNotValid");
      expect(await use("reset", reset)).toContain("error=LinkNotValid");
      const open = await listLinks();
      expect(open.map(({ email }) => email)).not.toContain(invitation.email);
      expect(open.map(({ email }) => email)).not.toContain(ben.email);
    };
    await dead();
    expect((await changeMember(chief, maker.member.id, returned)).status).toBe(200);
    await dead();
    expect(await db.member.count({ where: { email: invitation.email } })).toBe(0);
    expect(await readLink("reset", kept)).not.toBeNull();
    const lines = await db.audit_event.findMany({
      where: { subject: { in: [invitation.email, `${ben.name} <${ben.email}>`] } },
      orderBy: { id: "asc" },
    });
    expect(lines.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["member.uninvite", "member.reset_link_revoke"]),
    );
  });

  it("an invitation admits nobody through a provider", async () => {
    const maker = await signedIn();
    const { email } = await invited(maker, address(), "admin");
    // Not through the API, which deletes the links: the right is looked up when the link is used.
    await db.member.update({
      where: { id: maker.member.id },
      data: "disabled" in taken ? { disabled_at: new Date() } : { role: "reviewer" },
    });
    const identity = {
      provider: "oidc",
      account_id: email,
      email,
      email_verified: true,
      name: "Cleo",
    } as const;
    await expect(admitProvider(identity, client)).rejects.toMatchObject({ code: "NotInvited" });
    expect(await db.member.count({ where: { email } })).toBe(0);
  });
});

describe("open links", () => {
  it("are listed with their maker and revoked once", async () => {
    const admin = await signedIn();
    const ben = await makeMember("viewer");
    const invitation = await invited(admin);
    const reset = await resetFor(admin, ben.id);
    const mine = (await listLinks()).filter(({ email }) => [invitation.email, ben.email].includes(email));
    expect(mine).toMatchObject([
      {
        id: invitation.id,
        email: invitation.email,
        name: null,
        role: "reviewer",
        created_by: admin.member.name,
      },
      { email: ben.email, name: ben.name, role: null, created_by: admin.member.name },
    ]);
    const drop = (id: number) => outcome(() => revokeLink(admin.me, id));
    for (const { id } of mine) {
      expect((await drop(id)).status).toBe(200);
      const again = await drop(id);
      expect([again.status, again.json.detail]).toEqual([404, "Link not found"]);
    }
    expect(await use("invitation", invitation.token)).toContain("error=LinkNotValid");
    expect(await use("reset", reset)).toContain("error=LinkNotValid");
    const lines = await db.audit_event.findMany({
      where: { member_id: admin.member.id },
      orderBy: { id: "asc" },
    });
    expect(lines.map(({ action, subject }) => [action, subject])).toEqual([
      ["member.invite", invitation.email],
      ["member.reset_link", `${ben.name} <${ben.email}>`],
      ["member.uninvite", invitation.email],
      ["member.reset_link_revoke", `${ben.name} <${ben.email}>`],
    ]);
  });

  it("made on the command line have no maker and stay open", async () => {
    const ben = await makeMember("viewer");
    await createInvitation(servicePrincipal, { email: address(), role: "viewer" });
    const { url } = await createResetLink(servicePrincipal, ben.id);
    expect(await listLinks()).toContainEqual(expect.objectContaining({ email: ben.email, created_by: null }));
    expect(await use("reset", tokenOf(url))).toBe("/");
  });
});
