import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";

const test = signedInTest(() =>
  startWithAdmin({ posts: 12, hashtags: ["cats"] }, async ({ call, remote, app }) => {
    const { json: stream } = await call<{ id: number }>("POST", "/streams", {
      hashtag: "cats",
      instance: remote.host,
      enable_scheduling: false,
    });
    await call("POST", `/streams/${stream.id}/fetch`);
    const { json: posts } = await call<{ items: { id: number }[] }>("GET", "/posts?reviewed=false&limit=6");
    for (const { id } of posts.items) await call("PATCH", `/posts/${id}`, { approved: true });
    const { json: key } = await call<{ id: number; api_key: string }>("POST", "/api-keys/generate", {
      name: "Boost bot",
      scopes: ["consume"],
    });
    const ask = (method: string, path: string) =>
      fetch(`${app.url}/api/v1/curated/${path}`, { method, headers: { "x-api-key": key.api_key } });
    const take = async () =>
      ((await (await ask("GET", "next")).json()) as { fenliu_post_id: number }).fenliu_post_id;
    await ask("POST", `${await take()}/ack`);
    await ask("POST", `${await take()}/nack`);
    return { key };
  }),
);

test("the page of a key shows its figures and its rights", async ({ page, installation }) => {
  const { key } = installation;
  await installation.open(page, "/settings/keys");
  await page.getByRole("link", { name: "Boost bot" }).click();
  await expect(page).toHaveURL(new RegExp(`/settings/keys/${key.id}$`));
  await expect(page).toHaveTitle("Boost bot · Keys · Sluice");
  await expect(page.locator("[data-figure=bot_delivered]")).toHaveText("1");
  await expect(page.locator("[data-figure=bot_errors]")).toHaveText("0");
  await expect(panelOf(page, "Rights")).toContainText("Consume");
});

test("nack, error, requeue, cleanup and trim answer as specified", async ({ installation }) => {
  const { app, call, key } = installation;
  const { json: operator } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
    scopes: ["manage"],
  });
  const ask = async (method: string, path: string, apiKey = key.api_key, body?: object) => {
    const answer = await fetch(`${app.url}/api/v1/curated/${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      json: text === "" ? null : (JSON.parse(text) as Record<string, unknown>),
    };
  };
  const manage = (path: string) => ask("POST", path, operator.api_key);

  const id = (await ask("GET", "next")).json?.["id"];
  expect(await ask("POST", `${String(id)}/nack`)).toEqual({ status: 204, json: null });
  expect((await ask("GET", "next")).json).toMatchObject({ id, fenliu_post_id: id });
  expect((await ask("POST", `${String(id)}/error`, key.api_key, {})).status).toBe(422);
  const report = { reason: "Permanent error reblogging post" };
  expect((await ask("POST", `${String(id)}/error`, key.api_key, report)).status).toBe(204);
  expect(await ask("POST", `${String(id)}/nack`)).toMatchObject({
    status: 409,
    json: { detail: "Post is in state 'error', expected 'reserved'" },
  });
  expect(await manage(`${String(id)}/requeue`)).toEqual({ status: 204, json: null });
  expect(await manage(`${String(id)}/requeue`)).toMatchObject({
    status: 409,
    json: { detail: "Post is in state 'pending', expected 'error'" },
  });
  expect((await ask("GET", "next")).json).toMatchObject({ id });
  expect((await ask("POST", `${String(id)}/ack`)).status).toBe(204);

  expect(await manage("trim-pending?lookback_days=0")).toMatchObject({
    status: 400,
    json: { detail: "lookback_days must be >= 1" },
  });
  // Two deliveries in three days: floor(2 × 2 ÷ 3) of four pending posts stay.
  expect(await manage("trim-pending?lookback_days=3")).toEqual({ status: 200, json: { deleted: 3 } });
  expect(await manage("cleanup?retention_days=-1")).toMatchObject({
    status: 400,
    json: { detail: "retention_days must be >= 0" },
  });
  expect(await manage("cleanup?retention_days=0")).toEqual({ status: 200, json: { deleted: 2 } });
  expect(await ask("POST", `${String(id)}/ack`)).toMatchObject({
    status: 404,
    json: { detail: `Post ${String(id)} not found` },
  });
});
