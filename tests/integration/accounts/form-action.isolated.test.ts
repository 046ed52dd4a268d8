import { describe, expect, it, vi } from "vitest";
import * as actions from "#app/(console)/settings/actions.ts";
import type { Answer, FormAction } from "#lib/accounts/form-action.ts";
import { db } from "#lib/base/db.ts";
import { makeMember, unique } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";

const request = vi.hoisted(() => ({ headers: new Headers(), revalidated: 0 }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(request.headers),
  cookies: () =>
    Promise.resolve({
      get: (name: string) => {
        const pairs = (request.headers.get("cookie") ?? "").split("; ").map((each) => each.split("="));
        const value = pairs.find(([key]) => key === name)?.[1];
        return value === undefined ? undefined : { value };
      },
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
const statusOf = (answer: Answer) => ("failure" in answer ? answer.failure.status : 200);

/** Of the member alone; all others are an admin's. */
const OWN = ["saveProfile", "sendAlerts", "allowService", "endSession", "signOutEverywhere"];

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
  const refused = await send(actions.addReason, "admin", { label: "", about: "text" });
  expect(refused).toMatchObject({ failure: { status: 422, errors: [{ path: "label" }] } });
  const before = request.revalidated;
  expect(await send(actions.addReason, "admin", { label, about: "text" })).toEqual({
    said: `“${label}” added`,
  });
  expect(request.revalidated).toBe(before + 1);
  expect(await db.reject_reason.count({ where: { label } })).toBe(1);
});
