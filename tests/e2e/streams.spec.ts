import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { expectAccessible, expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

/** The server is slowed down where the first fetch is watched. */
const test = signedInTest(() =>
  startWithAdmin({ posts: 60, hashtags: ["cats", "birds"] }, () => Promise.resolve({})),
);

const sizes = [
  { width: 1280, height: 800, hashtag: "cats" },
  { width: 390, height: 780, hashtag: "birds" },
];

for (const { hashtag, ...size } of sizes) {
  test(
    `a server is checked, previewed, added and fetched at ${size.width} px`,
    { tag: size.width < 1000 ? "@slow" : [] },
    async ({ page, installation }) => {
      const { remote } = installation;
      await page.setViewportSize(size);
      // The open dialog hides the heading that `open` waits for.
      await page.goto(new URL("/streams?add=1", installation.app.url).href);
      const dialog = page.getByRole("dialog");
      const main = dialog.getByRole("button", { name: /^(Check server|Add stream|Add anyway)$/ });
      await test.step("a name that does not exist is named at once, and nothing is stored", async () => {
        await dialog.getByLabel("Hashtag").fill(hashtag);
        await dialog.getByLabel("Server").fill("nowhere.invalid");
        await main.click();
        await expect(dialog.getByText("There is no server with the name nowhere.invalid.")).toBeVisible();
        await expect(main).toHaveText("Add anyway");
        await expect(dialog.getByText("There is no server with the name nowhere.invalid.")).toBeInViewport({
          ratio: 1,
        });
      });
      await test.step("ten posts are shown with language and consent", async () => {
        await dialog.getByLabel("Server").fill(remote.host);
        await expect(main).toHaveText("Check server");
        await main.click();
        await expect(dialog.getByText(`#${hashtag} can be read from ${remote.host}`)).toBeInViewport({
          ratio: 1,
        });
        await expect(dialog.getByText(/^mastodon \d/)).toBeVisible();
        await expect(dialog.getByText(/^about \d+ posts a day/)).toBeVisible();
        const posts = dialog.getByRole("list", { name: "Newest posts" }).getByRole("listitem");
        await expect(posts).toHaveCount(10);
        await expect(posts.filter({ hasText: "Language:" })).not.toHaveCount(0);
        await expectAccessible(page, "streams");
        await expectNoHorizontalScroll(page, "streams");
      });
      await test.step("changed settings make the preview stale", async () => {
        await dialog.getByRole("switch", { name: "Only posts with media" }).check();
        await expect(dialog.getByText("The form was changed since this check.")).toBeVisible();
        await main.click();
        await expect(dialog.getByText(/No media: \d+/)).toBeVisible();
      });
      await test.step("the first fetch is shown while it runs", async () => {
        remote.control.fail({ kind: "slow", ms: 1_500 });
        await main.click();
        await expect(toastMessage(page, `#${hashtag} on ${remote.host} added`)).toBeVisible();
        await expect(page).toHaveTitle(`#${hashtag} on ${remote.host} · Sluice`);
        const first = panelOf(page, "First fetch");
        await expect(first.getByText(/is fetched shortly|^Reading/)).toBeVisible();
        await expect(first.getByText("The first posts are here.")).toBeVisible({ timeout: 20_000 });
        await expect(first.getByText(/\d+ new posts? of \d+ posts? read/)).toBeVisible();
        remote.control.clearFaults();
        await expect(page.getByText("Active", { exact: true })).toBeVisible();
        await expectAccessible(page, "streams");
        await expectNoHorizontalScroll(page, "streams");
      });
      await test.step("the source is fixed now, the settings are not", async () => {
        await expect(page.getByLabel("Skip replies")).toBeVisible();
        await page.reload();
        await expect(page.getByLabel("Server", { exact: true })).toHaveCount(0);
      });
    },
  );
}

test("hashtag and server are corrected while nothing was fetched", async ({ page, installation }) => {
  const { call, remote } = installation;
  const { json } = await call<{ id: number }>("POST", "/streams", {
    hashtag: "catz",
    instance: "nowhere.invalid",
    enable_scheduling: false,
  });
  await installation.open(page, `/streams/${json.id}`);
  await page.getByRole("button", { name: "Fetch now" }).click();
  await expect(page.getByText("Failing", { exact: true })).toBeVisible();
  await page.getByLabel("Hashtag").fill("birdz");
  await page.getByLabel("Server", { exact: true }).fill(remote.host);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toastMessage(page, "Saved")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("#birdz");
  await expect(page.getByText("Checking", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Fetch now" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});
