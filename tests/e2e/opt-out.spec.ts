import type { Page } from "@playwright/test";
import { apiCaller, strictly, type ApiCaller } from "#tests/setup/api-caller.ts";
import { startInstallation, type Installation } from "#tests/setup/installation.ts";
import { ADMIN, expect, test } from "#tests/setup/journey.ts";
import { openSession } from "#tests/setup/open-session.ts";
import { panelOf } from "#tests/setup/screen-parts.ts";
import { sessionCookies } from "#tests/setup/session-cookies.ts";

/*
 * A consumer says that an author wants no boosts. Their other post waits, held, until somebody decides: from the
 * queue, where it is found held, to the author's page, and back into the consumer's hands or onto the block list.
 */

type Post = { id: number; author_account: string };
type Item = { fenliu_post_id: number };

const REPORT = {
  reason: "Author opts out of bot interaction (nobot)",
  error_details: { error_type: "nobot" },
};

test.describe.configure({ mode: "serial" });

let place: Installation;
let call: ApiCaller;
let consume: ApiCaller;
let cookies: ReturnType<typeof sessionCookies>;
let account: string;
let ids: number[];

test.beforeAll(async () => {
  test.setTimeout(120_000);
  place = await startInstallation({
    hashtags: ["herons"],
    settings: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
  const session = await openSession(place.app.url, ADMIN.email, ADMIN.password);
  cookies = sessionCookies(session, place.app.url);
  call = strictly(apiCaller(place.app.url, { cookie: session.cookie, origin: place.app.url }));
  const { json: key } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
    scopes: ["consume"],
  });
  consume = apiCaller(place.app.url, { "x-api-key": key.api_key });
  const stream = { hashtag: "herons", instance: place.remote.host, enable_scheduling: false };
  const { json: made } = await call<{ id: number }>("POST", "/streams", stream);
  await call("POST", `/streams/${made.id}/fetch?limit=100`);
  const { json } = await call<{ items: Post[] }>("GET", "/posts?reviewed=false&limit=1000");
  const byAuthor = Map.groupBy(json.items, (post) => post.author_account);
  const [busy] = [...byAuthor.values()].toSorted((a, b) => b.length - a.length);
  ids = (busy ?? []).slice(0, 2).map((post) => post.id);
  account = busy?.[0]?.author_account ?? "";
  expect(ids).toHaveLength(2);
  for (const id of ids) await call("POST", `/posts/${id}/approve`);
});
test.afterAll(async () => {
  await place?.takeDown();
});
test.beforeEach(async ({ page }) => {
  await page.context().addCookies(cookies);
});

const next = async () => (await consume<Item>("GET", "/curated/next")).json.fenliu_post_id;
const report = async (id: number) =>
  expect((await consume("POST", `/curated/${id}/error`, REPORT)).status).toBe(204);

/** From the queue to where it is decided. */
async function decide(page: Page, button: string): Promise<void> {
  await page.goto(new URL("/queue", place.app.url).href);
  const held = panelOf(page, "Held");
  await expect(held.getByText("Opt-out reported").first()).toBeVisible();
  await held.getByRole("link", { name: `Held: decide about ${account}` }).click();
  await expect(page.getByText("A consumer reported an opt-out:")).toBeVisible();
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByText("A consumer reported an opt-out:")).toBeHidden();
}

test("a reported opt-out that is dismissed gives the author's other post back to consumers", async ({
  page,
}) => {
  expect(await next()).toBe(ids[0]);
  await report(ids[0] as number);
  expect((await consume("GET", "/curated/next")).status).toBe(204);
  await decide(page, "Dismiss report");
  expect(await next()).toBe(ids[1]);
});

test("one that is confirmed blocks the author", async ({ page }) => {
  await call("POST", `/curated/${ids[1]}/release`);
  expect(await next()).toBe(ids[1]);
  await call("POST", `/curated/${ids[0]}/requeue`);
  await report(ids[1] as number);
  await decide(page, "Confirm opt-out");
  expect((await consume("GET", "/curated/next")).status).toBe(204);
  await page.goto(new URL("/filters", place.app.url).href);
  await expect(page.getByText(account.slice(1)).first()).toBeVisible();
});
