import { describe, expect, it, vi } from "vitest";
import * as actions from "#app/(console)/settings/actions.ts";
import type { ActionResponse, FormAction } from "#lib/accounts/form-action.ts";
import { claimsOf } from "#lib/accounts/session.ts";
import { db } from "#lib/base/db.ts";
import { checkChanges } from "#lib/checks/settings/check-settings.ts";
import { retention } from "#lib/collect/retention.ts";
import { makeMember, makePost, unique } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";

const request = vi.hoisted(() => ({
  headers: new Headers(),
  revalidated: 0,
  cookies: [] as { value: string }[],
}));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(request.headers),
  cookies: () =>
    Promise.resolve({
      get: (name: string) => {
        const pairs = (request.headers.get("cookie") ?? "").split("; ").map((each) => each.split("="));
        const value = pairs.find(([key]) => key === name)?.[1];
        return value === undefined ? undefined : { value };
      },
      set: (cookie: { value: string }) => request.cookies.push(cookie),
    }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => request.revalidated++ }));

type Role = Parameters<typeof makeMember>[0];

async function send(action: FormAction, role: Role | null, fields: Record<string, string> = {}, more = {}) {
  const session = role === null ? {} : await sessionHeaders(await makeMember(role));
  request.headers = new Headers({ ...session, "sec-fetch-site": "same-origin", ...more });
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return action(null, form);
}
const statusOf = (answer: ActionResponse) => ("failure" in answer ? answer.failure.status : 200);

/** Of the member alone; all others are an admin's. */
const OWN = [
  ...["saveProfile", "savePreferences", "changePassword"],
  ...["endSession", "signOutEverywhere", "generateKey", "revokeKey"],
];

describe.each(Object.entries(actions))("the action %s", (name, action) => {
  it("needs a session, its own site and the role", async () => {
    expect(statusOf(await send(action, null))).toBe(401);
    expect(statusOf(await send(action, "admin", {}, { "sec-fetch-site": "cross-site" }))).toBe(403);
    const [reviewer, admin] = [await send(action, "reviewer"), await send(action, "admin")];
    expect(statusOf(reviewer) === 403).toBe(!OWN.includes(name));
    expect(statusOf(admin)).not.toBe(403);
  });
});

it("names refused fields and changes nothing; a change is shown at once", async () => {
  const label = `Reason ${unique()}`;
  const refused = await send(actions.saveReason, "admin", { label: "", about: "text" });
  expect(refused).toMatchObject({ failure: { status: 422, errors: [{ path: "label" }] } });
  const before = request.revalidated;
  expect(await send(actions.saveReason, "admin", { label, about: "text" })).toEqual({
    message: `“${label}” saved`,
  });
  expect(request.revalidated).toBe(before + 1);
  const { id } = await db.reject_reason.findFirstOrThrow({ where: { label } });
  const keep = (place: string) =>
    send(actions.saveReason, "admin", { id: String(id), label, about: "text", place });
  expect(await keep("")).toEqual({ message: `“${label}” saved` });
  expect((await db.reject_reason.findUniqueOrThrow({ where: { id } })).archived_at).not.toBeNull();
  await keep("1");
  expect(await db.reject_reason.findUniqueOrThrow({ where: { id } })).toMatchObject({
    place: 1,
    archived_at: null,
  });
});

it("the form of the checks stores what differs from the defaults, and refuses a threshold above 100", async () => {
  const save = (threshold: string) => {
    const shown = { checks: "rules", enabled_rules: "on", votes_rules: "on", threshold_rules: threshold };
    return send(actions.saveChecks, "admin", shown);
  };
  expect(await save("101")).toMatchObject({
    failure: { status: 422, errors: [{ path: "checks.0.threshold" }] },
  });
  expect(await save("62,5")).toMatchObject({ message: expect.stringMatching(/^Saved/) as string });
  expect((await checkChanges.read()).rules).toEqual({ enabled: true, votes: null, threshold: 0.625 });
});

it("a new password keeps this browser signed in, with the cookie of a new session", async () => {
  const before = request.cookies.length;
  expect(await send(actions.changePassword, "viewer", { new_password: "seven herons on the weir" })).toEqual({
    message: "Password changed",
  });
  const claims = await claimsOf(request.cookies[before]?.value);
  const row = await db.session.findUniqueOrThrow({ where: { id: claims?.sid ?? "" } });
  expect(String(row.member_id)).toBe(claims?.sub);
});

it.each([
  ["Asia/Tokyo", "2099-03-05T14:59:59.999Z"],
  ["America/New_York", "2099-03-06T04:59:59.999Z"],
])("the last day of a key ends in the member's zone: %s", async (zone, expires_at) => {
  const member = await makeMember("reviewer", { preferences: { time_zone: zone } });
  request.headers = new Headers(await sessionHeaders(member));
  const form = new FormData();
  for (const scope of ["read", "consume"]) form.append("scopes", scope);
  form.set("name", "Bot");
  form.set("expires_at", "2099-03-05");
  expect(await actions.generateKey(null, form)).toMatchObject({ message: "", result: { label: "API key" } });
  const row = { scopes: ["read", "consume"], stream_ids: [], expires_at: new Date(expires_at) };
  expect(await db.api_key.findFirst({ where: { created_by: member.id } })).toMatchObject(row);
  form.set("expires_at", "2001-03-05");
  expect(await actions.generateKey(null, form)).toMatchObject({
    failure: { status: 422, errors: [{ path: "expires_at" }] },
  });
});

it("retention asks with a count, and saves only the days that it was asked for", async () => {
  await makePost({ approved: false, reviewed_at: new Date(Date.now() - 50 * 86_400_000) });
  const days = { unreviewed_days: "", failed_days: "", history_days: "" };
  const save = (fields: Record<string, string>) =>
    send(actions.saveRetention, "admin", { ...days, ...fields });
  const { rejected_days: before } = await retention.read();
  const asked = await save({ rejected_days: "40" });
  expect(asked).toMatchObject({ message: "", result: { would_delete: { rejected: 1 } } });
  const confirmed = "result" in asked ? JSON.stringify((asked.result as { days: object }).days) : "";
  expect(await save({ rejected_days: "30", confirmed })).toHaveProperty("result");
  expect((await retention.read()).rejected_days).toBe(before);
  expect(await save({ rejected_days: "40", confirmed })).toHaveProperty(
    "message",
    expect.stringMatching(/^Saved/),
  );
  expect(await retention.read()).toMatchObject({ rejected_days: 40, history_days: null });
});
