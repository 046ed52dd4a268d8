import { expect, test } from "@playwright/test";
import { startSilentProxy } from "#tests/integration/silent-proxy.ts";
import { copyTemplate, type DatabaseServer } from "#tests/setup/database.ts";
import { startInstallation } from "#tests/setup/installation.ts";

test("pages answer 503 with a page while the database is away, and work again afterwards", async ({
  page,
}) => {
  const database = await copyTemplate(JSON.parse(process.env.E2E_DATABASE_SERVER ?? "") as DatabaseServer);
  const proxy = await startSilentProxy(database.url);
  const { app, stop } = await startInstallation({
    hashtags: ["cats"],
    posts: 1,
    settings: { DATABASE_URL: proxy.url, LOG_LEVEL: "silent" },
  });
  try {
    const working = await page.goto(`${app.url}/sign-in`);
    expect(working?.status()).toBe(200);
    proxy.setMode("closed");
    for (const path of ["/setup?token=x", "/sign-in"]) {
      const away = await page.goto(app.url + path);
      expect([away?.status(), away?.headers()["retry-after"]]).toEqual([503, "5"]);
      await expect(page.getByRole("heading", { name: "The database is not reachable" })).toBeVisible();
    }
    const api = await page.request.get(`${app.url}/api/v1/stats`, { headers: { "x-api-key": "any" } });
    expect([api.status(), await api.json()]).toEqual([
      503,
      { detail: "The database is not reachable, try again", code: "database_away" },
    ]);
    proxy.setMode("none");
    await expect(async () => {
      await page.getByRole("link", { name: "Try again" }).click({ timeout: 1_000 });
      await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
  } finally {
    await stop();
    await proxy.close();
    await database.drop();
  }
});
