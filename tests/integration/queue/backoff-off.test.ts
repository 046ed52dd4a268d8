import { expect, it, vi } from "vitest";
import { env } from "#lib/env.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { ageReservation, entry, next, settle } from "./moves.ts";

// Before any module reads the settings.
vi.hoisted(() => {
  process.env.REFUSAL_BACKOFF = "off";
});

it("REFUSAL_BACKOFF=off: a post refused repeatedly keeps its place, by nack and by time-out", async () => {
  expect(env().REFUSAL_BACKOFF).toBe(false);
  const key = await makeKey();
  const post = await makePending({}, new Date(1000));
  await makePending({}, new Date(2000));
  for (let n = 1; n <= 8; n++) {
    expect((await next(key)).json.fenliu_post_id).toBe(post.id);
    if (n % 2 === 0) await ageReservation(post.id, env().RESERVE_TIMEOUT_SECONDS + 1);
    else expect((await settle("nack", key, post.id)).status).toBe(204);
  }
  // This call sweeps the last timeout, which still counts.
  expect((await next(key)).json.fenliu_post_id).toBe(post.id);
  expect(await entry(post.id)).toMatchObject({ nacks: 4, timeouts: 4, refusals: 8, not_before: null });
});
