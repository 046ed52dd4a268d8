import { expect, test } from "#tests/setup/browser-test.ts";
import { ADMIN } from "#tests/setup/installation.ts";

test("signing in opens the desk, and a wrong password is reported", async ({ page }) => {
  await page.goto("/queue");
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

test("every page of the navigation opens without console errors", async ({ adminPage }) => {
  await adminPage.goto("/queue");
  const links = await adminPage
    .locator("nav a[href^='/']")
    .evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute("href") ?? ""))]);
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) {
    const answer = await adminPage.goto(link);
    expect(answer?.status(), link).toBe(200);
    await expect(adminPage.getByRole("heading", { level: 1 }).first()).toBeVisible();
  }
});
