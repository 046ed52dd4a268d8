import { query } from "#tests/setup/database.ts";
import { expect, panelOf, toastMessage } from "#tests/setup/browser-test.ts";
import { test, textPost } from "#tests/setup/desk.ts";
import { expectAccessible, expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

test("a stream is added after invalid input was reported, and its first fetch is shown while it runs", async ({
  page,
  desk,
}) => {
  const { remote } = desk;
  for (let n = 0; n < 6; n++) remote.control.addPost({ hashtags: ["terns"] }, "picture");
  await desk.signIn(page.context());
  // The open dialog hides the heading that `open` waits for.
  await page.goto(new URL("/streams?add=1", desk.app.url).href);
  const dialog = page.getByRole("dialog");
  const add = dialog.getByRole("button", { name: "Add stream" });
  await dialog.getByLabel("Hashtag").fill("two words");
  await dialog.getByLabel("Server").fill(remote.host);
  await add.click();
  await expect(dialog.getByLabel("Hashtag")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByLabel("Hashtag")).toHaveAccessibleDescription(/\w/);
  await expectAccessible(page, "the form");
  await dialog.getByLabel("Hashtag").fill("#terns");
  await dialog.getByText("Options", { exact: true }).click();
  await dialog.getByRole("switch", { name: "Only posts with media" }).check();
  remote.control.fail({ kind: "slow", ms: 1_500 });
  await add.click();
  await expect(toastMessage(page, `#terns on ${remote.host} added`)).toBeVisible();
  await expect(page).toHaveTitle(`#terns on ${remote.host} · Sluice`);
  const fetches = panelOf(page, "Fetches");
  await expect(fetches.getByText(/^Fetched shortly$|^Running$/)).toBeVisible();
  await expect(fetches.getByText("Complete")).toBeVisible({ timeout: 20_000 });
  remote.control.clearFaults();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expectAccessible(page, "streams");
  await expectNoHorizontalScroll(page, "streams");
  // The source is fixed now, the settings are not.
  await page.reload();
  await expect(page.getByLabel("Skip replies")).toBeVisible();
  await expect(page.getByLabel("Server", { exact: true })).toHaveCount(0);
});

test("a stream is changed, paused and deleted on its page", { tag: "@slow" }, async ({ page, desk }) => {
  const { json } = await desk.call<{ id: number }>("POST", "/streams", {
    hashtag: "herons",
    instance: desk.remote.host,
    enable_scheduling: false,
  });
  await desk.open(page, `/streams/${json.id}`);
  await page.getByLabel("Languages").fill("en, nonsense!");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Languages")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Languages").fill("en, de");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toastMessage(page, "Saved")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Languages")).toHaveValue("en, de");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Fetch now" })).toBeDisabled();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Fetch now" })).toBeEnabled();
  await page.getByRole("button", { name: "Delete stream" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("It has no posts.");
  await question.getByRole("button", { name: "Delete stream" }).click();
  await expect(page).toHaveURL(/\/streams$/);
  await expect(page.getByRole("row").filter({ hasText: "#herons" })).toHaveCount(0);
});

test(
  "a page that lives keeps what was typed when its connection is gone",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { streamId } = await desk.addPosts([textPost("One")]);
    await page.clock.install();
    await desk.open(page, `/streams/${streamId}`);
    await page.getByLabel("Languages").fill("fr");
    await page.context().setOffline(true);
    const failed = page.waitForEvent("requestfailed");
    await page.clock.fastForward(30_000);
    await failed;
    await expect(page.getByLabel("Languages")).toHaveValue("fr");
    await page.context().setOffline(false);
  },
);

const TOKEN = "let-me-in";

test(
  "a missing token is named on the stream's page and set with the keyboard",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { remote, call } = desk;
    await page.setViewportSize({ width: 390, height: 780 });
    const { json } = await call<{ id: number }>("POST", "/streams", {
      hashtag: "guarded",
      instance: remote.host,
      enable_scheduling: false,
    });
    const streamId = json.id;
    remote.control.token = TOKEN;
    await query(desk.databaseUrl, "UPDATE host_state SET token = NULL WHERE host = $1", [remote.host]);
    await desk.open(page, `/streams/${streamId}`);
    await page.getByRole("button", { name: "Fetch now" }).click();
    await expect(page.getByText(`${remote.host} answers only with a token.`)).toBeVisible();
    await expectNoHorizontalScroll(page, "servers");

    const link = page.getByRole("link", { name: "Set a token" });
    await link.focus();
    await page.keyboard.press("Enter");
    const panel = panelOf(page, "Servers");
    await expect(panel.getByText("Token missing")).toBeVisible();
    await expectNoHorizontalScroll(page, "servers");

    const field = panel.getByLabel(`Access token for ${remote.host}`);
    await field.focus();
    await page.keyboard.type("two words");
    await page.keyboard.press("Enter");
    await expect(panel.getByText("Paste the whole access token, without spaces.")).toBeVisible();
    await field.fill(TOKEN);
    await page.keyboard.press("Enter");
    await expect(toastMessage(page, `Token for ${remote.host} saved`)).toBeVisible();
    await expect(field).toHaveValue("");

    await desk.open(page, `/streams/${streamId}`);
    await page.getByRole("button", { name: "Fetch now" }).click();
    await expect(page.getByText(/answers only with a token|refuses the stored token/)).toHaveCount(0);

    await desk.open(page, "/settings/installation");
    await expect(panel.getByText("Token set")).toBeVisible();
    await panel.getByRole("button", { name: `Remove the token for ${remote.host}` }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expect(panel.getByText("No token")).toBeVisible();
    remote.control.token = null;
  },
);
