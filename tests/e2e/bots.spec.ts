import { readFile } from "node:fs/promises";
import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
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

test("a webhook is added, tested, edited, switched off and deleted", async ({ page, installation }) => {
  const { remote } = installation;
  await page.setViewportSize({ width: 390, height: 780 });
  await installation.open(page, "/settings/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add webhook" });
  await form.getByLabel("Name").fill("Night bot");
  await form.getByLabel("Address").fill("https://127.0.0.1/hook");
  await form.getByRole("button", { name: "Add webhook" }).click();
  await expect(form.getByText(/^Enter an https address on the public internet/)).toBeVisible();
  await form.getByLabel("Address").fill(`${remote.origin}/hook`);
  await form.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByLabel("Secret for checking signatures")).toHaveValue(/^whsec_/);
  await page.getByRole("button", { name: "I have stored it" }).click();

  await page.getByRole("button", { name: "Send a test message to Night bot" }).click();
  await expect(toastMessage(page, "Night bot did not accept the test message")).toBeVisible();
  await page.getByRole("button", { name: "Messages to Night bot" }).click();
  await expect(panelOf(page, "Messages to Night bot").getByText("It answered 404.")).toBeVisible();
  const edit = page.getByRole("dialog", { name: "Edit Night bot" });
  await page.getByRole("button", { name: "Edit Night bot" }).click();
  await edit.getByRole("checkbox", { name: "Queue empty" }).check();
  await edit.getByRole("switch", { name: "Send messages" }).uncheck();
  await edit.getByLabel("Address").fill("https://127.0.0.1/hook");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByText(/^Enter an https address on the public internet/)).toBeVisible();
  await edit.getByLabel("Address").fill(`${remote.origin}/other-hook`);
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  const webhooks = panelOf(page, "Webhooks");
  await expect(webhooks.getByText("Off", { exact: true })).toBeVisible();
  await expect(webhooks.getByText("Queue empty")).toBeVisible();
  await expect(webhooks.getByText(`${remote.origin}/other-hook`)).toBeVisible();
  await page.getByRole("button", { name: "Edit Night bot" }).click();
  await edit.getByRole("switch", { name: "Send messages" }).check();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(webhooks.getByText("On", { exact: true })).toBeVisible();

  await query(
    installation.databaseUrl,
    "UPDATE webhook SET disabled_at = now() - interval '1 hour', disabled_why = 'failing', failing_since = now() - interval '6 days'",
  );
  await installation.open(page, "/");
  const row = panelOf(page, "Needs attention").getByRole("listitem").filter({ hasText: "Night bot" });
  await expect(row).toContainText("The webhook Night bot is switched off");
  await row.getByRole("link", { name: "Open webhook" }).click();
  await expect(panelOf(page, "Webhooks").getByText("Off: it failed for five days")).toBeInViewport();
  await page.getByRole("button", { name: "Delete Night bot" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
});
