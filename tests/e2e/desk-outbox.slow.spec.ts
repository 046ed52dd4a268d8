import type { BrowserContext, Page } from "@playwright/test";
import { type AdminInstallation, childrenOf } from "#tests/setup/installation.ts";
import {
  decisionLog,
  type LoggedDecision,
  openDeck,
  outboxState,
  pressKey,
  signedInContext,
  startReviewInstallation,
  topCard,
  topCardId,
} from "#tests/setup/desk.ts";
import { expect, installationTest } from "#tests/setup/browser-test.ts";

/*
 * No decision is lost or stored twice: offline, in a closed or reloaded tab, with lost answers, after the session
 * ends, and when the web process is killed.
 */

const test = installationTest(() => startReviewInstallation({ posts: 200, seed: "outbox" }));

let installation: AdminInstallation;
let context: BrowserContext;
const done: LoggedDecision[] = [];
const allConsoleErrors: string[] = [];

test.beforeAll(async ({ browser, installation: started }) => {
  installation = started;
  context = await signedInContext(browser, installation, installation.session);
});
test.afterEach(() => {
  expect(allConsoleErrors).toEqual([]);
});
test.afterAll(async () => {
  await context?.close();
});

const DECISIONS = "**/api/v1/review/decisions";

async function deck(): Promise<Page> {
  const { page, consoleErrors } = await openDeck(context, installation);
  page.on("close", () => allConsoleErrors.push(...consoleErrors));
  return page;
}

async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys) {
    // A covered picture is not approved before it was seen.
    if (key === "a" && (await topCard(page).getByText("Covered – show").count()) > 0)
      await page.keyboard.press("c");
    done.push(await pressKey(page, key, done));
  }
}

const log = () => decisionLog(installation.call);
const waiting = async (page: Page) => (await outboxState(page)).waiting;
const status = async (page: Page) => (await outboxState(page)).status;

test("without a network the screen counts unsent decisions, and all arrive once and in order", async () => {
  const page = await deck();
  await press(page, "a");
  await expect.poll(log).toEqual(done);
  await context.setOffline(true);
  await press(page, "ar1sazra2s");
  await expect(page.getByText("10 waiting")).toBeVisible();
  await expect(page.getByText("No connection.")).toBeVisible();
  expect(await log()).toHaveLength(1);
  await context.setOffline(false);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(page.getByText("No connection.")).toBeHidden();
  expect(await log()).toEqual(done);
  await page.close();
});

test("the next tab sends the unsent decisions of a closed one, and their cards do not return", async () => {
  const page = await deck();
  await context.setOffline(true);
  const from = done.length;
  await press(page, "ara");
  await expect.poll(() => waiting(page)).toBe(3);
  const last = await topCardId(page);
  // The browser ends the missing network of a page before the page itself, which may then send once more.
  await page.evaluate(() => {
    window.fetch = () => new Promise(() => undefined);
  });
  await page.keyboard.press("r");
  await page.close();
  done.push({ post_id: last ?? 0, action: "reject" });

  await context.setOffline(false);
  await context.route(DECISIONS, (route) => route.abort());
  const next = await deck();
  await expect(next.getByText("4 waiting")).toBeVisible();
  expect(done.slice(from).map((deed) => deed.post_id)).not.toContain(await topCardId(next));
  expect(await log()).toEqual(done.slice(0, from));
  await context.unroute(DECISIONS);
  await expect(next.getByText("Saved", { exact: true })).toBeVisible({ timeout: 15_000 });
  expect(await log()).toEqual(done);
  await next.close();
});

test("decisions whose answers were lost are resent after a reload and counted once", async () => {
  const page = await deck();
  let arrived = 0;
  // The server has the decision, the browser does not know.
  await context.route(DECISIONS, async (route) => {
    await route.fetch();
    arrived += 1;
    // A reload may have aborted the request.
    await route.abort().catch(() => undefined);
  });
  await press(page, "arzsa");
  await expect.poll(() => arrived).toBeGreaterThan(0);
  await expect.poll(() => waiting(page)).toBe(5);
  const card = await topCardId(page);
  await page.reload();
  await expect.poll(() => topCardId(page)).toBe(card);
  await expect.poll(() => waiting(page)).toBe(5);
  await press(page, "ra");
  await context.unroute(DECISIONS);
  await expect.poll(() => status(page), { timeout: 15_000 }).toBe("saved");
  expect(await log()).toEqual(done);
  await page.close();
});

test("another page sends unsent decisions, and the list updates", async () => {
  const page = await deck();
  await context.route(DECISIONS, (route) => route.abort());
  await press(page, "ar");
  await expect.poll(() => waiting(page)).toBe(2);
  const grid = await context.newPage();
  await grid.goto(new URL("/review?view=grid&order=oldest", page.url()).href);
  await page.close();
  const tile = grid.locator(`[data-post="${done.at(-1)?.post_id}"]`);
  await expect(tile).toBeVisible();
  await context.unroute(DECISIONS);
  await expect(tile).toHaveCount(0, { timeout: 15_000 });
  expect(await log()).toEqual(done);
  await grid.close();

  const next = await deck();
  await context.route(DECISIONS, (route) => route.abort());
  await press(next, "a");
  await expect.poll(() => waiting(next)).toBe(1);
  await next.goto(new URL("/settings", next.url()).href);
  await context.unroute(DECISIONS);
  await next.goto(new URL("/streams", next.url()).href);
  await expect.poll(log).toEqual(done);
  await next.close();
});

test("unsent decisions are kept after sign-out until the same member signs in", async () => {
  const page = await deck();
  const cookies = await context.cookies();
  await context.clearCookies();
  const from = done.length;
  await press(page, "ar");
  await expect(page.getByText("2 waiting")).toBeVisible();
  await expect(page.getByText("Signed out.")).toBeVisible();
  expect(await log()).toEqual(done.slice(0, from));
  await context.addCookies(cookies);
  await press(page, "a");
  await expect.poll(() => status(page), { timeout: 15_000 }).toBe("saved");
  expect(await log()).toEqual(done);
  await page.close();
});

test("60 decisions in 60 seconds on a slow network, cut off in between, all arrive once and in order", async () => {
  test.setTimeout(120_000);
  const page = await deck();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 800,
    downloadThroughput: 60_000,
    uploadThroughput: 30_000,
  });
  const before = done.length;
  const start = Date.now();
  // At most twenty cards are loaded, so fewer are decided while the network is cut off.
  for (const [index, key] of [..."ar1".repeat(20)].entries()) {
    if (index === 30) await context.setOffline(true);
    if (index === 40) await context.setOffline(false);
    await expect.poll(() => topCardId(page), { intervals: [20] }).not.toBeNull();
    await press(page, key);
  }
  const seconds = (Date.now() - start) / 1000;
  test.info().annotations.push({ type: "60 decisions", description: `${seconds.toFixed(1)} s` });
  expect(seconds).toBeLessThan(60);
  await expect.poll(() => status(page), { timeout: 30_000 }).toBe("saved");
  expect(done.length - before).toBe(60);
  expect(await log()).toEqual(done);
  await network.detach();
  await page.close();
});

test("the desk continues when the web process is killed, and no decision is lost or doubled", async () => {
  const page = await deck();
  const [web = 0] = childrenOf(installation.app.pid, "sluice-web");
  expect(web).toBeGreaterThan(0);
  await press(page, "ara");
  // Kills during a request, when only the server knows the result.
  let killed = false;
  let held = true;
  await page.route("**/review/decisions", (route) => {
    if (killed) return held ? route.abort("connectionrefused") : route.continue();
    killed = true;
    process.kill(web, "SIGKILL");
    return route.continue();
  });
  await press(page, "a");
  await expect.poll(() => killed).toBe(true);
  // A new process may start within a second, so requests are held until the desk shows unsent decisions.
  await expect.poll(() => waiting(page)).toBeGreaterThan(0);
  held = false;
  await press(page, "r1azas");
  await expect.poll(() => childrenOf(installation.app.pid, "sluice-web")).not.toContain(web);
  await expect.poll(() => status(page), { timeout: 25_000 }).toBe("saved");
  expect(await log()).toEqual(done);
  await page.close();
});
