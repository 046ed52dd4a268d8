import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { expect, panelOf, toastMessage } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { expectTopCard, test, textPost } from "#tests/setup/desk.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

test("a new key is shown once, its row has its figures, and it is refused once revoked", async ({
  page,
  desk,
}) => {
  await desk.signIn(page.context());
  await page.goto(`${desk.app.url}/settings/keys`);
  const form = panelOf(page, "Generate an API key");
  await form.getByLabel("Name").fill("Journey bot");
  await form.getByRole("checkbox", { name: /^Read/ }).check();
  await form.getByRole("checkbox", { name: /^Review/ }).check();
  await form.getByRole("button", { name: "Generate key" }).click();
  const made = form.getByLabel("API key", { exact: true });
  await expect(made).toBeFocused();
  await expect(form.getByText("Shown only once.")).toBeVisible();
  const key = await made.inputValue();
  const row = page
    .getByRole("list", { name: "Keys" })
    .getByRole("listitem")
    .filter({ hasText: "Journey bot" });
  await expect(row).toContainText("Consume");

  // A bot asks for a post and acks it.
  const { posts } = await desk.addPosts(["One", "Two"].map(textPost));
  for (const post of posts) await desk.call("POST", `/posts/${post.id}/approve`);
  const bot = throwOnError(apiCaller(desk.app.url, { "x-api-key": key }));
  for (const verb of ["ack", "nack"]) {
    const { json } = await bot<{ fenliu_post_id: number }>("GET", "/curated/next");
    await bot("POST", `/curated/${json.fenliu_post_id}/${verb}`);
  }
  await page.reload();
  await expect(row).toContainText("1 delivered, 0 failed in 30 days");
  await expect(made).toHaveCount(0);
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(row).toHaveCount(0);
  const refused = await apiCaller(desk.app.url, { "x-api-key": key })("GET", "/posts?limit=5");
  expect(refused.status).toBe(401);
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
    await page.goto(`${desk.app.url}/settings/members`);
    await page.getByLabel("E-mail").fill("one@audit.example");
    await page.getByRole("button", { name: "Invite member" }).click();
    await expect(page.getByLabel("Invitation for one@audit.example")).toBeVisible();
    await desk.call("POST", "/topical-tags", { hashtag: "auditday", topical_day_of_week: "Friday" });
    const { posts } = await desk.addPosts(["One", "Two"].map((word) => textPost(`${word} of the log`)));
    await desk.call("POST", "/review/batch", {
      decision: "reject",
      post_ids: posts.map(({ id }) => id),
      reject_reason: 2,
    });
    await desk.open(page, "/settings/log");
    const lines = page.getByRole("list", { name: "Log" }).getByRole("listitem");
    await expect(lines.filter({ hasText: "auditday" })).toBeVisible();
    const batch = lines.getByRole("link", { name: "2 posts" }).first();
    await expect(batch).toBeVisible();
    await page.getByRole("link", { name: "Changes" }).click();
    await expect(page).toHaveURL(/action=changes/);
    await expect(lines.filter({ hasText: "one@audit.example" })).toBeVisible();
    await expect(batch).toHaveCount(0);
    await page.getByRole("link", { name: "Everything" }).click();
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
    await page.getByLabel("Name of the new reason").fill("Too many hashtags");
    await page.getByRole("button", { name: "Add reason" }).click();
    const place = page.getByLabel("Key of “Too many hashtags”");
    await expect(place).toHaveValue("8");
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
    const life = panelOf(page, "History").getByRole("listitem").filter({ hasText: "Rejected" });
    await expect(life).toContainText("Off topic");
    await page.getByRole("link", { name: "Off topic" }).click();
    await expect(page).toHaveURL(/\/posts\?reject_reason=2$/);
    await expect(page.getByRole("button", { name: /Rejected for: Off topic/ })).toBeVisible();
    await expect(page.locator(`[data-post="${one?.id}"], a[href="/posts/${one?.id}"]`).first()).toBeVisible();
    await expect(page.locator(`a[href="/posts/${two?.id}"]`)).toHaveCount(0);

    // Statistics begin with thirty decisions.
    await query(desk.databaseUrl, "INSERT INTO tally_delta (event, n, stream_id) VALUES ('approved', 30, 0)");
    await desk.open(page, "/statistics");
    const figure = page.getByRole("list", { name: "What do we choose, and why?" });
    // The other reasons are counted with the decisions of other files.
    const added = figure.getByRole("listitem").filter({ hasText: "Too many hashtags" }).getByRole("link");
    await expect(added).toHaveText("1");
    await added.click();
    await expect(page).toHaveURL(/reject_reason=8/);
    await expect(page.locator(`a[href="/posts/${two?.id}"]`).first()).toBeVisible();
    await expect(page.locator(`a[href="/posts/${one?.id}"]`)).toHaveCount(0);
    // Other tests have the reasons of a new installation.
    await desk.open(page, "/settings/members");
    await place.selectOption("Archived");
    await page.getByRole("button", { name: "Save “Too many hashtags”" }).click();
    await expect(toastMessage(page, "“Too many hashtags” saved")).toBeVisible();
  },
);
