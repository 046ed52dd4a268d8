import type { Page } from "@playwright/test";
import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { startWithAdmin, type AdminInstallation } from "#tests/setup/installation.ts";

/* After a reported opt-out the author's other posts are held until a member decides. */

type Post = { id: number; author_account: string };
type Item = { fenliu_post_id: number };

const REPORT = {
  reason: "Author opts out of bot interaction (nobot)",
  error_details: { error_type: "nobot" },
};

const test = signedInTest(() =>
  startWithAdmin({ hashtags: ["herons"] }, async ({ app, call, remote }) => {
    const { json: key } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
      scopes: ["consume"],
    });
    const stream = { hashtag: "herons", instance: remote.host, enable_scheduling: false };
    const { json: made } = await call<{ id: number }>("POST", "/streams", stream);
    await call("POST", `/streams/${made.id}/fetch?limit=100`);
    const { json } = await call<{ items: Post[] }>("GET", "/posts?reviewed=false&limit=1000");
    const byAuthor = Map.groupBy(json.items, (post) => post.author_account);
    const [busy] = [...byAuthor.values()].toSorted((a, b) => b.length - a.length);
    const ids = (busy ?? []).slice(0, 2).map((post) => post.id);
    expect(ids).toHaveLength(2);
    for (const id of ids) await call("POST", `/posts/${id}/approve`);
    const consume = throwOnError(apiCaller(app.url, { "x-api-key": key.api_key }));
    return {
      ids,
      account: busy?.[0]?.author_account ?? "",
      next: async () => (await consume<Item>("GET", "/curated/next")).json.fenliu_post_id,
      report: (id: number) => consume("POST", `/curated/${id}/error`, REPORT),
    };
  }),
);

test.describe.configure({ mode: "serial" });

async function decide(
  page: Page,
  installation: AdminInstallation & { account: string },
  button: string,
): Promise<void> {
  await installation.open(page, "/queue");
  const held = panelOf(page, "Held");
  await expect(held.getByText("Opt-out reported").first()).toBeVisible();
  await opensItsList(page);
  await installation.open(page, "/queue");
  await held.getByRole("link", { name: `Held: decide about ${installation.account}` }).click();
  const reported = panelOf(page, "Reported opt-outs");
  await reported.getByRole("button", { name: `${button}: ${installation.account}` }).click();
  await expect(reported).toHaveCount(0);
}

async function opensItsList(page: Page): Promise<void> {
  await panelOf(page, "Held").getByRole("link", { name: "Opt-out reported", exact: true }).click();
  await expect(page).toHaveURL(/held_by=opt-out/);
  await expect(page.locator("[data-total]")).toHaveAttribute("data-total", "1");
  await page.getByRole("button", { name: /Held: Opt-out reported/ }).click();
  await expect(page).not.toHaveURL(/held_by/);
}

test("dismissing a reported opt-out returns the author's other post to the queue", async ({
  page,
  installation,
}) => {
  const { ids, next, report } = installation;
  expect(await next()).toBe(ids[0]);
  await report(ids[0] as number);
  expect(await next()).toBeUndefined();
  await decide(page, installation, "Not an opt-out");
  expect(await next()).toBe(ids[1]);
});

test("confirming a reported opt-out deletes the author's posts and blocks the author", async ({
  page,
  installation,
}) => {
  const { account, ids, call, next, report } = installation;
  await call("POST", `/curated/${ids[1]}/nack`);
  expect(await next()).toBe(ids[1]);
  await call("POST", `/curated/${ids[0]}/requeue`);
  await report(ids[1] as number);
  const stored = async () => {
    const path = `/posts?author=${encodeURIComponent(account)}&limit=1`;
    return (await call<{ total: number }>("GET", path)).json.total;
  };
  const posts = await stored();
  expect(posts).toBeGreaterThanOrEqual(2);

  await installation.open(page, `/posts/${ids[0]}`);
  await page.getByRole("link", { name: "Decide" }).click();
  await page.getByRole("button", { name: /^Confirm opt-out/ }).click();
  const dialog = page.getByRole("dialog", { name: `Confirm the opt-out of ${account}?` });
  await expect(dialog).toContainText(`Deletes all stored posts of this author (${posts})`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await stored()).toBe(posts);
  await page.getByRole("button", { name: /^Confirm opt-out/ }).press("Enter");
  await dialog.getByRole("button", { name: "Confirm opt-out" }).press("Enter");
  await expect(page.getByText(`${account} is forgotten and blocked`)).toBeVisible();
  expect([await stored(), await next()]).toEqual([0, undefined]);
  const reported = panelOf(page, "Reported opt-outs");
  await expect(reported).toHaveCount(0);
  await expect(page.getByText(account.slice(1)).first()).toBeVisible();
});
