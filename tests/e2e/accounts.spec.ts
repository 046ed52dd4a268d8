import type { Browser, Page } from "@playwright/test";
import { expect, panelOf, toastMessage } from "#tests/setup/browser-test.ts";
import { newPage, test, type DeskInstallation } from "#tests/setup/desk.ts";
import { ADMIN, storeMember } from "#tests/setup/installation.ts";
import { expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

const PASSWORD = "a kingfisher at the weir";
const NEW_PASSWORD = "seven herons on the weir";
const REVIEWER = { name: "Noor Idrissi", email: "noor@settings.example", password: "slow water over stones" };

async function strangerOf(browser: Browser, { app }: DeskInstallation): Promise<Page> {
  return newPage(await browser.newContext({ baseURL: app.url, reducedMotion: "reduce" }));
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

test("signing in opens the desk, and a wrong password is reported", async ({ page, desk }) => {
  await page.goto(`${desk.app.url}/queue`);
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password").fill("not this one");
  await page.getByRole("button", { name: "Sign in" }).click();
  // Next adds an empty alert outside `main`.
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/queue$/);
});

test("an invited member joins, chooses theme and time zone, and changes the password", async ({
  page,
  browser,
  desk,
}) => {
  const link = await test.step("an admin makes the link", async () => {
    await desk.signIn(page.context());
    await page.goto(`${desk.app.url}/settings/members`);
    await page.getByLabel("E-mail").fill(REVIEWER.email);
    await page.getByRole("button", { name: "Invite member" }).click();
    return page.getByLabel(`Invitation for ${REVIEWER.email}`).inputValue();
  });

  const theirs = await strangerOf(browser, desk);
  await test.step("it works once, and leads to the desk as a reviewer", async () => {
    await theirs.goto(link);
    await theirs.getByLabel("Name").fill(REVIEWER.name);
    await theirs.getByLabel("Password").fill(REVIEWER.password);
    await theirs.getByRole("button", { name: "Accept invitation" }).click();
    await expect(theirs.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await theirs.goto("/settings");
    const parts = theirs.getByRole("navigation", { name: "Sections of the settings" });
    await expect(parts.getByRole("link")).toHaveText(["Me", "Bots", "Log"]);
    await theirs.goto("/settings/members");
    await expect(theirs.getByText("Only admins see the team.")).toBeVisible();
    await expect(panelOf(theirs, "Members")).toHaveCount(0);
    await theirs.goto(link);
    await expect(theirs.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();
  });

  await test.step("theme and time zone are chosen", async () => {
    await theirs.goto("/settings");
    await theirs.getByRole("radio", { name: "Dark" }).check();
    await expect(theirs.locator("html")).toHaveAttribute("data-theme", "dark");
    await theirs.getByLabel("Time zone").selectOption({ label: "Asia/Tokyo" });
    await theirs.getByRole("button", { name: "Save", exact: true }).first().click();
    await expect(toastMessage(theirs, "Saved")).toBeVisible();
  });

  await test.step("a wrong password changes nothing, the right one does", async () => {
    await theirs.goto("/settings");
    await theirs.getByLabel("Current password").fill("not this one at all");
    await theirs.getByLabel("New password").fill(NEW_PASSWORD);
    await theirs.getByRole("button", { name: "Change password" }).click();
    await expect(theirs.getByText("The current password is not right")).toBeVisible();
    await theirs.getByLabel("Current password").fill(REVIEWER.password);
    await theirs.getByRole("button", { name: "Change password" }).click();
    await expect(toastMessage(theirs, "Password changed")).toBeVisible();
  });

  await theirs.context().close();
});

test(
  "sessions are listed and ended by keyboard, on a phone, and signing out kills a copied cookie",
  { tag: "@slow" },
  async ({ browser, desk }) => {
    const email = "sessions@accounts.example";
    await storeMember(desk.databaseUrl, { email, name: "Ines", role: "viewer", password: PASSWORD });
    const [here, there] = [await strangerOf(browser, desk), await strangerOf(browser, desk)];
    await signIn(there, email, PASSWORD, "/queue");
    await here.setViewportSize({ width: 390, height: 800 });
    await signIn(here, email, PASSWORD, "/settings");
    const ends = panelOf(here, "Sessions").getByRole("button", { name: /^End the session of/ });
    await expect(ends).toHaveCount(2);
    await expect(panelOf(here, "Sessions").getByText("this browser")).toBeVisible();
    await expectNoHorizontalScroll(here, "sessions");
    const other = panelOf(here, "Sessions")
      .getByRole("listitem")
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
    await here.getByRole("group", { name: "Account" }).getByRole("button", { name: "Sign out" }).click();
    await expect(here.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
    const thief = await strangerOf(browser, desk);
    await thief.context().addCookies(copied);
    expect(await status(thief, "/stats")).toBe(401);
    for (const page of [here, there, thief]) await page.context().close();
  },
);

test(
  "a reset link is listed with its maker and can be revoked; the next one offers to revoke the keys",
  { tag: "@slow" },
  async ({ page, browser, desk }) => {
    const email = "reset@accounts.example";
    await storeMember(desk.databaseUrl, { email, name: "Rosa", role: "viewer", password: PASSWORD });
    await desk.open(page, "/settings/members");
    const makeLink = async () => {
      await page.reload();
      const member = panelOf(page, "Members").getByRole("listitem").filter({ hasText: email });
      await member.getByRole("button", { name: "Create reset link" }).click();
      return member.getByLabel("Reset link for Rosa", { exact: true }).inputValue();
    };
    const first = await makeLink();
    const row = panelOf(page, "Pending invitations and reset links")
      .getByRole("listitem")
      .filter({ hasText: email });
    await expect(row).toContainText("Password reset");
    await row.getByRole("button", { name: `Revoke the link for ${email}` }).click();
    await expect(toastMessage(page, `The link for ${email} is revoked`)).toBeVisible();
    await expect(row).toHaveCount(0);
    const theirs = await strangerOf(browser, desk);
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
  },
);
