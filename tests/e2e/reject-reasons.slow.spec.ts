import { query } from "#tests/setup/database.ts";
import { deskTest as test, expectTopCard, textPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

test("a reason is added, chosen by its key, shown with the post, in the log and the list, and counted", async ({
  page,
  desk,
}) => {
  await desk.open(page, "/settings/members");
  await page.getByRole("textbox", { name: "Reason" }).fill("Too many hashtags");
  await page.getByRole("button", { name: "Add reason" }).click();
  const reasons = page.getByRole("table", { name: "Reasons of rejection" });
  await expect(reasons.getByRole("row").filter({ hasText: "Too many hashtags" })).toContainText("8");
  await expectAccessible(page, "the reasons");
  await page.getByRole("button", { name: "Archive “Duplicate”" }).click();
  await expect(page.getByRole("table", { name: "Archived reasons" })).toContainText("Duplicate");
  await page.getByRole("button", { name: "Move “Too many hashtags” up" }).click();
  await expect(reasons.getByRole("row").nth(6)).toContainText("Too many hashtags");

  const { path, posts } = await desk.addPosts(["One", "Two", "Three"].map(textPost));
  const [one, two, three] = posts;
  await desk.open(page, path);
  await expectTopCard(page, one);
  await page.keyboard.press("2");
  await expectTopCard(page, two);
  await page.keyboard.press("6");
  await expectTopCard(page, three);
  await page.keyboard.press("r");
  const recent = page.getByRole("region", { name: "Recent decisions" });
  await expect(recent).toContainText("Off topic");
  await expect(recent).toContainText("Too many hashtags");
  await expect.poll(() => desk.approvedOf(three)).toBe(false);
  await page.reload();
  await expect(recent).toContainText("Off topic");

  const { json } = await desk.call<{ items: { reject_reason_label: string | null }[] }>(
    "GET",
    `/review/log?post_id=${one?.id}`,
  );
  expect(json.items[0]).toMatchObject({ action: "reject", reject_reason_label: "Off topic" });

  await desk.open(page, `/posts/${one?.id}`);
  const life = page.getByRole("listitem").filter({ hasText: "Rejected · " });
  await expect(life).toContainText("Off topic");
  await page.getByRole("link", { name: "Off topic" }).click();
  await expect(page).toHaveURL(/\/posts\?reject_reason=2$/);
  await expect(page.getByRole("button", { name: /Rejected for: Off topic/ })).toBeVisible();
  await expect(page.locator(`[data-post="${one?.id}"], a[href="/posts/${one?.id}"]`).first()).toBeVisible();
  await expect(page.locator(`a[href="/posts/${two?.id}"]`)).toHaveCount(0);

  // Statistics begin with thirty decisions.
  await query(desk.databaseUrl, "INSERT INTO figure_delta (event, n, stream_id) VALUES ('approved', 30, 0)");
  await desk.open(page, "/statistics");
  const figure = page.getByRole("table", { name: "What do we choose, and why?" });
  // The other reasons are counted with the decisions of other files.
  const added = figure.getByRole("row").filter({ hasText: "Too many hashtags" }).getByRole("link");
  await expect(added).toHaveText("1");
  await added.click();
  await expect(page).toHaveURL(/reject_reason=8/);
  await expect(page.locator(`a[href="/posts/${two?.id}"]`).first()).toBeVisible();
  await expect(page.locator(`a[href="/posts/${one?.id}"]`)).toHaveCount(0);
});
