import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

const TOKEN = "let-me-in";

/** The server of the stream answers only with a token. */
const test = signedInTest(() =>
  startWithAdmin({ posts: 6, hashtags: ["cats"] }, async ({ call, remote }) => {
    remote.control.token = TOKEN;
    const { json } = await call<{ id: number }>("POST", "/streams", {
      hashtag: "cats",
      instance: remote.host,
      enable_scheduling: false,
    });
    return { streamId: json.id };
  }),
);

test.use({ viewport: { width: 390, height: 780 } });

test(`a missing token is named on the stream's page and set with the keyboard`, async ({
  page,
  installation,
}) => {
  const { streamId, remote, call } = installation;
  await call("PUT", `/hosts/${encodeURIComponent(remote.host)}/token`, { token: null });
  await installation.open(page, `/streams/${streamId}`);
  await page.getByRole("button", { name: "Fetch now" }).click();
  await expect(page.getByText(`${remote.host} answers only with a token.`)).toBeVisible();
  await expectNoHorizontalScroll(page, "servers");

  const link = page.getByRole("link", { name: "Set a token" });
  await link.focus();
  await page.keyboard.press("Enter");
  const panel = panelOf(page, "Servers");
  await expect(panel.getByLabel("Server", { exact: true })).toHaveValue(remote.host);
  await expect(panel.getByText("Missing", { exact: true })).toBeVisible();
  await expectNoHorizontalScroll(page, "servers");

  const field = panel.getByLabel("Access token", { exact: true });
  await field.focus();
  await page.keyboard.type("two words");
  await page.keyboard.press("Enter");
  await expect(panel.getByText("Paste the whole access token, without spaces.")).toBeVisible();
  await field.fill("wrong");
  await page.keyboard.press("Enter");
  await expect(toastMessage(page, `Token for ${remote.host} saved`)).toBeVisible();
  await expect(panel.getByLabel("Server", { exact: true })).toHaveValue("");

  await installation.open(page, `/streams/${streamId}`);
  await page.getByRole("button", { name: "Fetch now" }).click();
  await expect(page.getByText(`${remote.host} refuses the stored token.`)).toBeVisible();
  await page.getByRole("link", { name: "Replace the token" }).click();
  await panel.getByRole("button", { name: `Set token for ${remote.host}` }).focus();
  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await page.keyboard.type(TOKEN);
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("");

  await installation.open(page, `/streams/${streamId}`);
  await page.getByRole("button", { name: "Fetch now" }).click();
  await expect(page.getByText(/answers only with a token|refuses the stored token/)).toHaveCount(0);

  await installation.open(page, "/settings/installation");
  await expect(panel.getByText("Set", { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: `Remove the token for ${remote.host}` }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(panel.getByText("None", { exact: true })).toBeVisible();
});
