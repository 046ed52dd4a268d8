import { expect, it, vi } from "vitest";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { ageReservation, entry, next, settle } from "./moves.ts";

// Before any module reads the settings.
vi.hoisted(() => (process.env.RESERVE_TIMEOUT_SECONDS = "45"));

const seconds = async (id: number, from: "reserved_at" | "now") => {
  const { lease_expires_at, reserved_at } = await entry(id);
  const begin = from === "now" ? Date.now() : (reserved_at?.getTime() ?? 0);
  return ((lease_expires_at?.getTime() ?? 0) - begin) / 1000;
};

it("a reservation lasts RESERVE_TIMEOUT_SECONDS, alone and in a batch, and so does an extension", async () => {
  const key = await makeKey({ scopes: ["consume"] });
  const { id } = await makePending();
  const others = [];
  for (let i = 0; i < 5; i++) others.push((await makePending()).id);
  await Promise.all([id, ...others].map(() => next(key)));
  for (const each of [id, ...others]) expect(await seconds(each, "reserved_at")).toBe(45);
  await ageReservation(id, 40);
  expect((await settle("extend", key, id)).status).toBe(204);
  expect(await seconds(id, "now")).toBeGreaterThan(40);
  expect(await seconds(id, "now")).toBeLessThan(46);
});
