import { expect, test } from "#tests/setup/browser-test.ts";
import { ADMIN } from "#tests/setup/installation.ts";

test("the application answers", async ({ page }) => {
  const answer = await page.request.get("/api/v1/curated/next");
  expect(answer.status()).toBe(401);
});

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

for (const width of [1280, 390]) {
  test(
    `every page of the navigation opens without console errors at ${width} pixels`,
    { tag: width < 1000 ? "@slow" : [] },
    async ({ adminPage }) => {
      await adminPage.setViewportSize({ width, height: 800 });
      await adminPage.goto("/queue");
      const links = await adminPage
        .locator("nav a[href^='/']")
        .evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute("href") ?? ""))]);
      expect(links.length).toBeGreaterThan(2);
      for (const link of links) {
        const answer = await adminPage.goto(link);
        expect(answer?.status(), link).toBe(200);
        await expect(adminPage.getByRole("heading", { level: 1 }).first()).toBeVisible();
        const overflow = await adminPage.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `${link} is wider than the screen`).toBeLessThanOrEqual(0);
      }
    },
  );
}
