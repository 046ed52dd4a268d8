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
