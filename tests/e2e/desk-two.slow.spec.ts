import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { apiCaller, createSession, type Session, throwOnError } from "#tests/setup/api-client.ts";
import {
  compareWithLog,
  decisionLog,
  type LoggedDecision,
  openDeck,
  outboxState,
  pressKey,
  signedInContext,
  startReviewInstallation,
  topCardId,
} from "#tests/setup/desk.ts";
import { expect, installationTest } from "#tests/setup/browser-test.ts";
import type { AdminInstallation } from "#tests/setup/installation.ts";
import { query } from "#tests/setup/database.ts";

/*
 * Two reviewers never get the same card. After an expired lease, or in two tabs of a member, the other's decision is
 * shown.
 */

const SECOND = {
  name: "Bela",
  email: "second@desk.example",
  password: "the light on the water",
  role: "reviewer",
};

const test = installationTest(() => startReviewInstallation({ posts: 212, seed: "two" }));

let installation: AdminInstallation;
let second: Session;
let secondId: number;
let contexts: BrowserContext[] = [];
let allConsoleErrors: string[][] = [];

test.beforeAll(async ({ installation: started }) => {
  installation = started;
  const { json } = await installation.call<{ id: number }>("POST", "/members", SECOND);
  secondId = json.id;
  second = await createSession(installation.app.url, SECOND.email, SECOND.password);
});
test.beforeEach(async () => {
  await query(installation.databaseUrl, "DELETE FROM review_lease");
});
test.afterEach(async () => {
  for (const context of contexts) await context.close();
  expect(allConsoleErrors.flat()).toEqual([]);
  contexts = [];
  allConsoleErrors = [];
});

async function deckOf(browser: Browser, session: Session, options?: BrowserContextOptions): Promise<Page> {
  const context = await signedInContext(browser, installation, session, options);
  contexts.push(context);
  return deckIn(context);
}

async function deckIn(context: BrowserContext): Promise<Page> {
  const { page, consoleErrors } = await openDeck(context, installation);
  allConsoleErrors.push(consoleErrors);
  return page;
}

async function isSaved(page: Page): Promise<void> {
  await expect.poll(async () => (await outboxState(page)).status).toBe("saved");
}

async function endLeases(): Promise<void> {
  await query(installation.databaseUrl, "UPDATE review_lease SET expires_at = now() - interval '1 second'");
}

const top = async (page: Page) => (await topCardId(page)) ?? 0;
const deedsOn = async (postId: number) =>
  (await decisionLog(installation.call)).filter((deed) => deed.post_id === postId).map((deed) => deed.action);
const notice = (page: Page, text: string) => page.getByText(text).and(page.locator("div"));
const toast = (page: Page) =>
  page.getByRole("region", { name: "Messages of the desk" }).filter({ visible: true });

test("two reviewers at 1280 pixels: nothing in the bar overlaps or reaches the side rail, and leases are apart", async ({
  browser,
}) => {
  const saved_filters = ["Long name of a filter", "Another filter"].map((name) => ({
    name,
    filter: { has_media: "true" },
  }));
  await installation.call("PATCH", "/profile", { preferences: { saved_filters } });
  const pages = await Promise.all([installation.session, second].map((session) => deckOf(browser, session)));
  const [first, other] = pages as [Page, Page];
  // The counts of both are those after the other came.
  for (const page of pages) await page.reload();
  for (const page of pages) await expect.poll(() => top(page)).not.toBe(0);
  for (const page of pages) {
    expect(await overlaps(page)).toEqual([]);
  }
  const cards = [await top(first), await top(other)];
  expect(cards[0]).not.toBe(cards[1]);
  await Promise.all([pressKey(first, "r", []), pressKey(other, "r", [])]);
  for (const page of pages) await isSaved(page);
  for (const card of cards) expect(await deedsOn(card)).toEqual(["reject"]);
  for (const page of pages) expect(await overlaps(page)).toEqual([]);
  // The hint of a first visit leaves the buttons about the author whole.
  await expect(other.getByText("Four keys to start with")).toBeVisible();
  const facts = other.locator('[data-place="top"] > aside');
  expect(await facts.evaluate((side) => side.scrollHeight - side.clientHeight)).toBeLessThanOrEqual(0);
  const leases = await query<{ post_id: number; holder: string }>(
    installation.databaseUrl,
    "SELECT post_id, holder FROM review_lease",
  );
  const holderOf = new Map(leases.map(({ post_id, holder }) => [post_id, holder]));
  expect(holderOf.get(await top(other))).toBe(`m${secondId}`);
  expect(holderOf.get(await top(first))).toMatch(/^m\d+$/);
  expect(holderOf.get(await top(first))).not.toBe(`m${secondId}`);

  // The text is longest when the other reviewer has the rest of the deck.
  const [card] = await query<{ author: string }>(
    installation.databaseUrl,
    "SELECT author_account AS author FROM post WHERE id = $1",
    [await top(first)],
  );
  await other.goto(`${installation.app.url}/review?author=${encodeURIComponent(card?.author ?? "")}`);
  await expect(other.getByText(/ on (another reviewer's desk|other reviewers' desks)/).first()).toBeVisible();
  expect(await overlaps(other)).toEqual([]);
  await installation.call("PATCH", "/profile", { preferences: { saved_filters: null } });
});

/** Pairs of visible elements of the bar that overlap, and those that leave the screen or reach the rail. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const bar = document.querySelector("[data-left]")?.parentElement;
    const rail = [...document.querySelectorAll("section")]
      .find((each) => each.getAttribute("aria-label") === "Recent decisions")
      ?.parentElement?.getBoundingClientRect();
    if (!bar || !rail || rail.width === 0) return ["no bar or no rail"];
    const boxes = [...bar.children]
      .filter((child) => child.tagName !== "H1")
      .map((child) => ({ name: child.textContent, box: child.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    const meet = (a: DOMRect, b: DOMRect) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap(({ name, box }, at) => [
      ...boxes.slice(at + 1).flatMap((next) => (meet(box, next.box) ? [`${name} | ${next.name}`] : [])),
      ...(meet(box, rail) || box.left < 0 || box.right > innerWidth ? [`${name} outside`] : []),
    ]);
  });
}

test("an expired lease gives the card to another reviewer, and the first one is told", async ({
  browser,
}) => {
  const first = await deckOf(browser, installation.session);
  const card = await top(first);
  const early = await deckOf(browser, second);
  expect(await top(early)).not.toBe(card);
  await query(installation.databaseUrl, "DELETE FROM review_lease WHERE holder = $1", [`m${secondId}`]);
  await endLeases();
  const other = await deckOf(browser, second);
  expect(await top(other)).toBe(card);

  // The first activity after ten minutes renews the leases.
  await first.clock.setFixedTime(Date.now() + 11 * 60_000);
  await first.locator('[data-place="top"]').click({ position: { x: 5, y: 5 } });
  await expect(
    notice(first, "Another reviewer has this post now. Press any decision key to continue."),
  ).toBeVisible();
  expect(await top(first)).toBe(card);
  await pressKey(first, "a", []);
  await expect(first.locator('li[data-status="conflict"]')).toHaveCount(1);
  await isSaved(first);
  expect(await deedsOn(card)).toEqual([]);

  await pressKey(other, "r", []);
  await expect.poll(() => deedsOn(card)).toEqual(["reject"]);
});

test("a conflicting decision is shown, and the first one stands", async ({ browser }) => {
  const first = await deckOf(browser, installation.session);
  const card = await top(first);
  await endLeases();
  const other = await deckOf(browser, second);
  expect(await top(other)).toBe(card);
  await pressKey(first, "a", []);
  await isSaved(first);
  await pressKey(other, "r", []);
  await expect(toast(other)).toContainText("Your decision was not saved");
  await expect(toast(other)).toContainText("Already approved by");
  const line = other.locator('li[data-status="conflict"]');
  await expect(line).toContainText("Not saved");
  await expect(line).toContainText("Already approved by");
  expect(await deedsOn(card)).toEqual(["approve"]);
  await line.getByRole("button", { name: /^Remove from this list/ }).click();
  await expect(line).toHaveCount(0);
});

test("a decision in one tab removes the card from the member's other tab", async ({ browser }) => {
  const one = await deckOf(browser, second);
  const two = await deckIn(one.context());
  const card = await top(one);
  expect(await top(two)).toBe(card);
  const told = notice(two, "Approved by Bela meanwhile. Press any decision key to continue.");
  await pressKey(one, "a", []);
  const behind = await top(one);
  await pressKey(one, "a", []);
  await isSaved(one);
  await expect(told).toBeVisible();
  expect(await top(two)).toBe(card);
  // The card behind it was not visible, so it is removed without a message.
  await pressKey(two, "r", []);
  await expect(told).toBeHidden();
  const third = await top(two);
  expect(third).toBe(await top(one));
  await pressKey(one, "a", []);
  await expect(told).toBeVisible();
  expect(await top(two)).toBe(third);
  await isSaved(two);
  for (const id of [card, behind, third]) expect(await deedsOn(id)).toEqual(["approve"]);
});

test("undo works until the post is handed out; then the screen explains the refusal", async ({ browser }) => {
  const page = await deckOf(browser, installation.session);
  const card = await top(page);
  await pressKey(page, "a", []);
  await isSaved(page);
  await pressKey(page, "z", []);
  expect(await top(page)).toBe(card);
  await isSaved(page);
  expect(await deedsOn(card)).toEqual(["approve", "unreview"]);
  await pressKey(page, "a", []);
  await isSaved(page);

  const { json: key } = await installation.call<{ api_key: string }>("POST", "/api-keys/generate", {
    name: "Boost bot",
    scopes: ["consume"],
  });
  const consume = throwOnError(apiCaller(installation.app.url, { "x-api-key": key.api_key }));
  let handed = 0;
  while (handed !== card) {
    const { status, json } = await consume<{ fenliu_post_id: number }>("GET", "/curated/next");
    expect(status).toBe(200);
    handed = json.fenliu_post_id;
  }

  const next = await top(page);
  await page.keyboard.press("z");
  const why = "A boost bot already has this post. The decision can no longer be changed.";
  await expect(toast(page)).toContainText("Too late to undo");
  await expect(toast(page)).toContainText(why);
  const line = page.locator("li[data-decision]").first();
  await expect(line).toContainText(why);
  await expect(line.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
  // The undo returned the card, which can only be skipped.
  await expect(notice(page, `${why} Press any decision key to continue.`)).toBeVisible();
  expect(await top(page)).toBe(card);
  await pressKey(page, "r", []);
  expect(await top(page)).toBe(next);
  await isSaved(page);
  expect(await deedsOn(card)).toEqual(["approve", "unreview", "approve"]);
  const { json: post } = await installation.call<{ approved: boolean }>("GET", `/posts/${card}`);
  expect(post.approved).toBe(true);
});

test("two reviewers on the last posts never get the same card, and every post is decided once", async ({
  browser,
}) => {
  test.setTimeout(150_000);
  const before = (await decisionLog(installation.call)).length;
  const { json: left } = await installation.call<{ total: number }>("GET", "/posts?reviewed=false&limit=1");
  expect(left.total).toBeGreaterThanOrEqual(200);
  // Leave animations would take a third of the time.
  const still = { reducedMotion: "reduce" } as const;
  const pages = [await deckOf(browser, installation.session, still), await deckOf(browser, second, still)];
  const [first = [], other = []] = await Promise.all(pages.map((page) => decideAll(page)));
  for (const page of pages) await isSaved(page);

  const firstIds = new Set(first.map((deed) => deed.post_id));
  expect(other.filter((deed) => firstIds.has(deed.post_id))).toEqual([]);
  expect(Math.min(first.length, other.length)).toBeGreaterThan(20);
  expect(first.length + other.length).toBe(left.total);
  const log = (await decisionLog(installation.call)).slice(before);
  expect(compareWithLog([...first, ...other], log)).toMatchObject({ lost: 0, doubled: 0 });
  expect(new Set(log.map((deed) => deed.post_id)).size).toBe(left.total);
  const ofSecond = await decisionLog(installation.call, secondId);
  expect(ofSecond.slice(-other.length)).toEqual(other);
  const { json: rest } = await installation.call<{ total: number }>("GET", "/posts?reviewed=false&limit=1");
  expect(rest.total).toBe(0);
});

/** Alternates approve and reject, inside the page, because two hundred key presses from outside take a minute. */
function decideAll(page: Page): Promise<LoggedDecision[]> {
  return page.evaluate(async () => {
    const done: LoggedDecision[] = [];
    const top = () => document.querySelector('[data-place="top"]')?.getAttribute("data-card");
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isCovered = () =>
      document.querySelector('[data-place="top"]')?.textContent?.includes("Covered – show") === true;
    const press = (key: string) =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    while (document.querySelector("[data-empty]") === null) {
      const card = top();
      if (card != null) {
        const reject = done.length % 3 === 2;
        // The first approval of a covered picture only uncovers it.
        if (!reject && isCovered()) press("a");
        while (!reject && isCovered()) await frame();
        press(reject ? "r" : "a");
        done.push({ post_id: Number(card), action: reject ? "reject" : "approve" });
        while (top() === card) await frame();
      }
      await frame();
    }
    return done;
  });
}
