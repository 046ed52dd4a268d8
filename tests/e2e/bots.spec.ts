import { readFile } from "node:fs/promises";
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
    const held = await take();
    return { key, held };
  }),
);

test("the page of a key shows its figures, its posts and its rights, and rotates it", async ({
  page,
  installation,
}) => {
  const { key, held, app } = installation;
  await installation.open(page, "/settings/keys");
  await page.getByRole("link", { name: "Boost bot" }).click();
  await expect(page).toHaveURL(new RegExp(`/settings/keys/${key.id}$`));
  await expect(page.getByText("of 2 reservations").first()).toBeVisible();
  await expect(page.getByText(/^50\s%$/).first()).toBeVisible();
  await expect(panelOf(page, "Posts it holds").locator(`a[href="/posts/${held}"]`).first()).toBeVisible();
  await expect(page).toHaveTitle("Boost bot · Keys · Sluice");
  const next = panelOf(page, "Posts it gets next").getByRole("listitem");
  await expect(next).not.toHaveCount(0);
  await expect(next.getByRole("img").first()).toBeVisible();
  await page.getByText("Show as table").click();
  await expect(page.getByRole("columnheader", { name: "Returned" })).toBeVisible();
  const csv = page.getByRole("button", { name: "Export CSV: How its reservations ended" });
  const [file] = await Promise.all([page.waitForEvent("download"), csv.click()]);
  expect(file.suggestedFilename()).toBe("how-its-reservations-ended.csv");
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toBe('"Date","Delivered","Returned","Errors","Timed out"');
  expect(lines.at(-1)).toMatch(/^"\d{4}-\d\d-\d\d",1,1,0,0$/);

  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }).click();
  const made = page.getByRole("region", { name: "Boost bot is ready" });
  const secret = await made.getByLabel("API key", { exact: true }).inputValue();
  const extend = (used: string) =>
    fetch(`${app.url}/api/v1/curated/${held}/extend`, { method: "POST", headers: { "x-api-key": used } });
  expect((await extend(key.api_key)).status).toBe(401);
  expect((await extend(secret)).status).toBe(204);
});
