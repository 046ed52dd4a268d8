import { expect, test } from "@playwright/test";
import pg from "pg";
import { startSilentProxy } from "#tests/integration/database/silent-proxy.ts";
import { copyTemplate, type DatabaseServer } from "#tests/setup/database.ts";
import { startInstallation, startWithAdmin } from "#tests/setup/installation.ts";

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

test("pages without an outline answer 503 when the database ends their statements, and work again afterwards", async ({
  page,
}) => {
  const { app, databaseUrl, signIn, stop } = await startWithAdmin(
    { hashtags: ["cats"], posts: 1, settings: { LOG_LEVEL: "silent" } },
    () => Promise.resolve({}),
  );
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const setTimeLimit = async (limit: string) => {
    const name = new URL(databaseUrl).pathname.slice(1);
    await owner.query(`ALTER DATABASE ${name} SET statement_timeout = '${limit}'`);
    // Open connections keep the old setting.
    await owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = '${name}' AND pid <> pg_backend_pid()`);
  };
  try {
    await signIn(page.context());
    await setTimeLimit("500ms");
    await owner.query("BEGIN; SET LOCAL statement_timeout = 0; LOCK TABLE post");
    // Pages with a `loading.tsx` have sent status 200 by then.
    for (const path of ["/posts", "/review"]) {
      for (const accept of ["text/html", "*/*"]) {
        const answer = await page.request.get(app.url + path, { headers: { accept } });
        expect([path, answer.status(), answer.headers()["retry-after"]]).toEqual([path, 503, "5"]);
        expect(await answer.text()).toContain("<h1>The database took too long</h1>");
      }
    }
    await owner.query("ROLLBACK");
    await setTimeLimit("0");
    await expect(async () => {
      expect((await page.request.get(`${app.url}/statistics`)).status()).toBe(200);
    }).toPass({ timeout: 20_000 });
  } finally {
    await owner.end();
    await stop();
  }
});
