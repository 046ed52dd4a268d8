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
    `a stream is added and fetched at ${size.width} px`,
    { tag: size.width < 1000 ? "@slow" : [] },
    async ({ page, installation }) => {
      const { remote } = installation;
      await page.setViewportSize(size);
      // The open dialog hides the heading that `open` waits for.
      await page.goto(new URL("/streams?add=1", installation.app.url).href);
      const dialog = page.getByRole("dialog");
      await test.step("the first fetch is shown while it runs", async () => {
        remote.control.fail({ kind: "slow", ms: 1_500 });
        await dialog.getByLabel("Hashtag").fill(hashtag);
        await dialog.getByLabel("Server").fill(remote.host);
        await dialog.getByRole("switch", { name: "Only posts with media" }).check();
        await expectAccessible(page, "the form");
        await dialog.getByRole("button", { name: "Add stream" }).click();
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
