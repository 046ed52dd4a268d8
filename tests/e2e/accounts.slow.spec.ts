import type { Browser, Page } from "@playwright/test";
import { expect, panelOf, test, toastMessage } from "#tests/setup/browser-test.ts";
import { expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

const PASSWORD = "a kingfisher at the weir";
const NEW_PASSWORD = "seven herons on the weir";

async function otherBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce" })).newPage();
}

async function signIn(page: Page, email: string, password: string, to: string): Promise<void> {
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(to)}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${to}$`));
}

const status = (page: Page, path: string) =>
  page.request.get(`/api/v1${path}`).then((answer) => answer.status());

test("sessions are listed and ended by keyboard, on a phone, and signing out kills a copied cookie", async ({
  admin,
  browser,
  baseURL,
}) => {
  const email = "sessions@accounts.example";
  await admin.post("/api/v1/members", { email, name: "Ines", role: "viewer", password: PASSWORD });
  const [here, there] = [await otherBrowser(browser, baseURL), await otherBrowser(browser, baseURL)];
  await signIn(there, email, PASSWORD, "/queue");
  await here.setViewportSize({ width: 390, height: 800 });
  await signIn(here, email, PASSWORD, "/settings");
  const ends = panelOf(here, "Sessions").getByRole("button", { name: /^End the session of/ });
  await expect(ends).toHaveCount(2);
  await expect(panelOf(here, "Sessions").getByText("this browser")).toBeVisible();
  await expectNoHorizontalScroll(here, "sessions");
  const other = panelOf(here, "Sessions")
    .getByRole("row")
    .filter({ hasNotText: "this browser" })
    .getByRole("button", { name: /^End/ });
  await other.focus();
  await here.keyboard.press("Enter");
  await expect(toastMessage(here, /is ended/)).toBeVisible();
  await expect(ends).toHaveCount(1);
  expect(await status(there, "/stats")).toBe(401);
  expect(await status(here, "/stats")).toBe(200);

  const copied = await here.context().cookies();
  await here.setViewportSize({ width: 1280, height: 800 });
  await here.getByRole("button", { name: /^Account/ }).click();
  await here.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(here.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  const thief = await otherBrowser(browser, baseURL);
  await thief.context().addCookies(copied);
  expect(await status(thief, "/stats")).toBe(401);
  for (const page of [here, there, thief]) await page.context().close();
});

test("a reset link is listed with its maker and can be revoked; the next one offers to revoke the keys", async ({
  adminPage,
  admin,
  browser,
  baseURL,
}) => {
  const email = "reset@accounts.example";
  await admin.post("/api/v1/members", { email, name: "Rosa", role: "viewer", password: PASSWORD });
  await adminPage.goto("/settings/members");
  const makeLink = async () => {
    await adminPage.getByRole("button", { name: "Actions for Rosa" }).click();
    await adminPage.getByRole("menuitem", { name: "Create reset link" }).click();
    const dialog = adminPage.getByRole("dialog", { name: "Reset link for Rosa" });
    const url = await dialog.getByLabel("Link").inputValue();
    await dialog.getByRole("button", { name: "Done" }).click();
    return url;
  };
  const first = await makeLink();
  const row = panelOf(adminPage, "Open links").getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Password reset");
  await row.getByRole("button", { name: `Revoke the link for ${email}` }).click();
  await expect(toastMessage(adminPage, `The link for ${email} is revoked`)).toBeVisible();
  await expect(row).toHaveCount(0);
  const theirs = await otherBrowser(browser, baseURL);
  await theirs.goto(first);
  await expect(theirs.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();

  await signIn(theirs, email, PASSWORD, "/queue");
  await theirs.evaluate(() =>
    fetch("/api/v1/api-keys/generate", { method: "POST", body: '{"scopes":["read"]}' }),
  );
  await theirs.goto(await makeLink());
  await theirs.getByLabel("New password").fill("rosarosarosa");
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs.getByText("This password is too easy to guess.")).toBeVisible();
  await theirs.getByLabel("New password").fill(NEW_PASSWORD);
  await theirs.getByRole("checkbox", { name: "Also revoke my API key" }).check();
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await theirs.goto("/settings/keys");
  await expect(theirs.getByText("No API keys yet")).toBeVisible();
  await theirs.context().close();
});
