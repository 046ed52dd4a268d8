import type { Page } from "@playwright/test";
import { apiCaller } from "#tests/setup/api-client.ts";
import { test as sharedTest } from "#tests/setup/desk.ts";
import { startInstallation, type Installation } from "#tests/setup/installation.ts";
import { expect } from "#tests/setup/browser-test.ts";

/* From the setup link to the statistics, by visible controls only. */

const HASHTAG = "photography";
const MEMBER = { name: "Ana Okafor", email: "ana@journeys.example", password: "a heron at the weir" };

/** The worker keeps the installation that other files share. */
const test = sharedTest.extend<{ empty: Installation }>({
  empty: [
    // Playwright requires the destructuring pattern even without fixtures in it.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const installation = await startInstallation({
        posts: 40,
        hashtags: [HASHTAG],
        seed: "main job",
        embeddedDatabase: true,
      });
      await use(installation);
      await installation.stop();
    },
    { timeout: 120_000 },
  ],
});

test("the main workflow runs from setup to statistics", async ({ page, empty }) => {
  const { app, remote } = empty;
  const open = (where: string) => page.goto(new URL(where, app.url).href);
  const flow = (figure: string) => page.locator(`[data-figure="${figure}"]`).first();

  await test.step("the link that was printed makes the first account, once", async () => {
    expect(app.setup_url).not.toBeNull();
    await page.goto(app.setup_url ?? "");
    await page.getByLabel("Name").fill(MEMBER.name);
    await page.getByLabel("E-mail").fill(MEMBER.email);
    await page.getByLabel("Password").fill(MEMBER.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).not.toHaveURL(/setup/);
    await page.goto(app.setup_url ?? "");
    await expect(page.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();
  });

  await test.step("a stream is added and fetched", async () => {
    await open("/streams");
    await expect(page.getByText("No streams yet")).toBeVisible();
    await page.getByRole("button", { name: "Add stream" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Hashtag").fill(`#${HASHTAG}`);
    await expect(form.getByLabel("Server")).toHaveValue(remote.host);
    await form.getByText("Options", { exact: true }).click();
    await form.getByRole("switch", { name: "Fetch on schedule" }).uncheck();
    await form.getByRole("button", { name: "Add stream" }).click();
    await expect(page).toHaveURL(/\/streams\/\d+$/);
    await open("/streams");
    const row = page.getByRole("row").filter({ hasText: `#${HASHTAG}` });
    await row.getByRole("button", { name: "Fetch now" }).click();
    await expect(page.getByText(`#${HASHTAG} on ${remote.host} fetched`)).toBeVisible();
    await expect(row.getByText("Active", { exact: true })).toBeVisible();
  });

  await open("/");
  await expect(flow("unreviewed")).not.toHaveText("0");
  await expect(flow("delivered")).toHaveText("0");

  await test.step("a post is approved", () => approveOne(page, app.url));

  const key = await test.step("a key for a consumer is made, and shown this once", async () => {
    await open("/settings/keys");
    const form = page.locator("#generate");
    await form.getByLabel("Name").fill("Boost bot");
    await form.getByRole("button", { name: "Generate key" }).click();
    const made = await page.getByLabel("API key", { exact: true }).inputValue();
    expect(made).toMatch(/^slc_/);
    await open("/settings/keys");
    await expect(page.getByRole("listitem").filter({ hasText: "Boost bot" })).toBeVisible();
    expect(await page.content()).not.toContain(made);
    return made;
  });

  await test.step("a consumer takes the post and acknowledges it", async () => {
    const consumer = apiCaller(app.url, { "x-api-key": key });
    const item = await consumer<{ fenliu_post_id: number; author_account: string }>("GET", "/curated/next");
    expect(item.status).toBe(200);
    await open("/queue");
    await expect(flow("reserved")).toHaveText("1");
    const done = await consumer("POST", `/curated/${item.json.fenliu_post_id}/ack`);
    expect(done.status).toBe(204);
    expect((await consumer("GET", "/curated/next")).status).toBe(204);
  });

  await test.step("the figures have moved", async () => {
    await open("/");
    await expect(flow("delivered")).toHaveText("1");
    await expect(page.getByText(/Boost bot asked/)).toBeVisible();
    await open("/statistics");
    await expect(page.getByText("So far: 1.")).toBeVisible();
  });
});

async function approveOne(page: Page, url: string): Promise<void> {
  await page.goto(new URL("/review", url).href);
  await page.getByRole("button", { name: /^Approve/ }).click();
  const approved = async () => {
    const answer = await page.request.get(new URL("/api/v1/posts?approved=true&limit=1", url).href);
    return ((await answer.json()) as { total: number }).total;
  };
  await expect.poll(approved, { timeout: 30_000 }).toBe(1);
}
