import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { expect, panelOf, toastMessage } from "#tests/setup/browser-test.ts";
import { readCurl } from "#tests/setup/curl-lines.ts";
import { query } from "#tests/setup/database.ts";
import { expectTopCard, test, textPost } from "#tests/setup/desk.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

test("a new key works with the shown curl lines, has a page of figures, and is refused once revoked", async ({
  page,
  desk,
}) => {
  await desk.signIn(page.context());
  await page.goto(`${desk.app.url}/settings/keys?generate=1`);
  const form = page.getByRole("dialog", { name: "Generate an API key" });
  await form.getByLabel("Name").fill("Journey bot");
  await form.getByRole("checkbox", { name: /^Read/ }).check();
  await form.getByRole("checkbox", { name: /^Review/ }).check();
  await form.getByRole("button", { name: "Generate key" }).click();
  await expect(page).toHaveURL(/\/settings\/keys$/);

  const made = page.getByRole("region", { name: "Journey bot is ready" });
  const key = await made.getByLabel("API key", { exact: true }).inputValue();
  const shown = await made.locator("figure", { hasText: "curl" }).locator("code").innerText();
  const variables = Object.fromEntries(
    [...shown.matchAll(/^(API|KEY)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  expect(variables.KEY).toBe(key);
  const run = async (part: string) => {
    const line = shown.split("\n").find((each) => each.startsWith("curl") && each.includes(part)) ?? "";
    const { url, ...request } = readCurl(line.replace("curl -i", "curl"), variables);
    return fetch(url, request);
  };
  expect([200, 204]).toContain((await run("/curated/next")).status);
  const listed = await run("/posts?limit=5");
  expect(listed.status).toBe(200);
  expect(await listed.json()).toMatchObject({ limit: 5 });

  // A bot asks for a post and acks it.
  const { posts } = await desk.addPosts(["One", "Two"].map(textPost));
  for (const post of posts) await desk.call("POST", `/posts/${post.id}/approve`);
  const bot = throwOnError(apiCaller(desk.app.url, { "x-api-key": key }));
  for (const verb of ["ack", "nack"]) {
    const { json } = await bot<{ fenliu_post_id: number }>("GET", "/curated/next");
    await bot("POST", `/curated/${json.fenliu_post_id}/${verb}`);
  }
  await made.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByText(key)).toHaveCount(0);
  await page.getByRole("link", { name: "Journey bot" }).click();
  await expect(page).toHaveTitle("Journey bot · Bots · Sluice");
  await expect(page.locator("[data-figure=bot_delivered]")).toHaveText("1");
  await expect(page.locator("[data-figure=bot_errors]")).toHaveText("0");
  await expect(panelOf(page, "Rights")).toContainText("Consume");
  await page.goBack();
  const row = page.getByRole("listitem").filter({ hasText: "Journey bot" });
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(row).toHaveCount(0);
  expect((await run("/posts?limit=5")).status).toBe(401);
  expect((await run("/curated/next")).status).toBe(401);
});

test(
  "days of retention ask with the number of posts that they delete, also before scripts have loaded",
  { tag: "@slow" },
  async ({ page, browser, desk }) => {
    const days = async () =>
      (await query(desk.databaseUrl, "SELECT value FROM setting WHERE name = 'retention'"))[0]
        ?.value as object;
    const before = await days();
    const { posts } = await desk.addPosts([textPost("Old")]);
    const old =
      "UPDATE post SET fetched_at = now() - interval '99 days', updated_at = now() - interval '99 days'";
    await query(desk.databaseUrl, `${old} WHERE id = $1`, [posts[0]?.id]);
    await desk.open(page, "/settings/installation");
    const panel = panelOf(page, "How long posts and history are kept");
    const unreviewed = panel.getByLabel("Posts without a decision");
    await unreviewed.fill("0");
    await unreviewed.press("Enter");
    await expect(panel.getByText("A whole number from 1 to 36500, or empty")).toBeVisible();
    await unreviewed.fill("98");
    await panel.getByRole("button", { name: "Save" }).click();
    await expect(panel.getByText("The next daily cleanup deletes 1 unreviewed post.")).toBeVisible();
    expect(await days()).toEqual(before);
    // Other days than those of the question are not saved by its button.
    await unreviewed.fill("97");
    await expect(panel.getByRole("button", { name: "Save and delete them" })).toHaveCount(0);

    const bare = await browser.newContext({ javaScriptEnabled: false });
    await desk.signIn(bare);
    const plain = await bare.newPage();
    await plain.goto(`${desk.app.url}/settings/installation`);
    await plain.getByLabel("Posts without a decision").fill("98");
    await plain.getByRole("button", { name: "Save", exact: true }).click();
    await plain.getByRole("button", { name: "Save and delete them" }).click();
    await expect.poll(days).toMatchObject({ unreviewed_days: 98 });
    await bare.close();

    await page.reload();
    await unreviewed.fill("");
    await unreviewed.press("Enter");
    await expect(toastMessage(page, "Saved. The next daily cleanup applies it.")).toBeVisible();
    expect(await days()).toEqual(before);
  },
);

test(
  "the log has decisions and changes, can be filtered, and leads from a batch to its posts",
  { tag: "@slow" },
  async ({ page, desk }) => {
    await desk.signIn(page.context());
    await page.goto(`${desk.app.url}/settings/members?invite=1`);
    const form = page.getByRole("dialog", { name: "Invite a member" });
    await form.getByLabel("E-mail").fill("one@audit.example");
    await form.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("dialog", { name: "Invitation for one@audit.example" })).toBeVisible();
    await desk.call("POST", "/topical-tags", { hashtag: "auditday", topical_day_of_week: "Friday" });
    const { posts } = await desk.addPosts(["One", "Two"].map((word) => textPost(`${word} of the log`)));
    await desk.call("POST", "/review/batch", {
      decision: "reject",
      post_ids: posts.map(({ id }) => id),
      reject_reason: 2,
    });
    await desk.open(page, "/settings/log");
    const lines = page.getByRole("list", { name: "Log" }).getByRole("listitem");
    const show = page.getByRole("button", { name: "Show" });
    await expect(lines.filter({ hasText: "auditday" })).toBeVisible();
    const batch = lines.getByRole("link", { name: "2 posts" }).first();
    await expect(batch).toBeVisible();
    await page.getByLabel("What").selectOption({ label: "Member" });
    await show.click();
    await expect(page).toHaveURL(/action=member/);
    await expect(lines.filter({ hasText: "one@audit.example" })).toBeVisible();
    await expect(lines.filter({ hasText: "auditday" })).toHaveCount(0);

    await page.getByLabel("Until").fill("2001-01-01");
    await show.click();
    await expect(page.getByText("Nothing matches", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Clear filters" }).first().click();
    await expect(lines.filter({ hasText: "auditday" })).toBeVisible();
    await expect(page.getByLabel("Until")).toHaveValue("");
    await batch.click();
    await expect(lines.filter({ hasText: "of the log" })).toHaveCount(2);
    await expect(lines.filter({ hasText: "Off topic" })).toHaveCount(2);
    await expect(lines.filter({ hasText: "auditday" })).toHaveCount(0);
  },
);

test(
  "a reason is added, chosen by its key, shown with the post, in the list and the figures, and archived",
  { tag: "@slow" },
  async ({ page, desk }) => {
    await desk.open(page, "/settings/members");
    await page.getByRole("textbox", { name: "Reason" }).fill("Too many hashtags");
    await page.getByRole("button", { name: "Add reason" }).click();
    const reasons = page.getByRole("list", { name: "Rejection reasons" });
    await expect(reasons.getByRole("listitem").filter({ hasText: "Too many hashtags" })).toContainText("8");
    await expectAccessible(page, "the reasons");
    const { path, posts } = await desk.addPosts(["One", "Two", "Three"].map(textPost));
    const [one, two, three] = posts;
    await desk.open(page, path);
    await expectTopCard(page, one);
    await page.keyboard.press("2");
    await expectTopCard(page, two);
    await page.keyboard.press("8");
    await expectTopCard(page, three);
    await page.keyboard.press("r");
    const recent = page.getByRole("region", { name: "Recent decisions" });
    await expect(recent).toContainText("Off topic");
    await expect(recent).toContainText("Too many hashtags");
    await expect.poll(() => desk.approvedOf(three)).toBe(false);
    await page.reload();
    await expect(recent).toContainText("Off topic");

    await desk.open(page, `/posts/${one?.id}`);
    const life = page.getByRole("listitem").filter({ hasText: "Rejected · " });
    await expect(life).toContainText("Off topic");
    await page.getByRole("link", { name: "Off topic" }).click();
    await expect(page).toHaveURL(/\/posts\?reject_reason=2$/);
    await expect(page.getByRole("button", { name: /Rejected for: Off topic/ })).toBeVisible();
    await expect(page.locator(`[data-post="${one?.id}"], a[href="/posts/${one?.id}"]`).first()).toBeVisible();
    await expect(page.locator(`a[href="/posts/${two?.id}"]`)).toHaveCount(0);

    // Statistics begin with thirty decisions.
    await query(desk.databaseUrl, "INSERT INTO tally_delta (event, n, stream_id) VALUES ('approved', 30, 0)");
    await desk.open(page, "/statistics");
    const figure = page.getByRole("table", { name: "What do we choose, and why?" });
    // The other reasons are counted with the decisions of other files.
    const added = figure.getByRole("row").filter({ hasText: "Too many hashtags" }).getByRole("link");
    await expect(added).toHaveText("1");
    await added.click();
    await expect(page).toHaveURL(/reject_reason=8/);
    await expect(page.locator(`a[href="/posts/${two?.id}"]`).first()).toBeVisible();
    await expect(page.locator(`a[href="/posts/${one?.id}"]`)).toHaveCount(0);
    // Other tests have the reasons of a new installation.
    await desk.open(page, "/settings/members");
    await page.getByRole("button", { name: "Archive “Too many hashtags”" }).click();
    await expect(page.getByRole("list", { name: "Archived reasons" })).toContainText("Too many hashtags");
  },
);
