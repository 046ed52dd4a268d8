import { deskTest, textPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { expectAccessible, expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

const test = deskTest();

test("a reviewer's name leads from the review log to the decisions, and the filter can be chosen", async ({
  page,
  desk,
}) => {
  const { posts } = await desk.addPosts(["Decided", "Open"].map(textPost));
  const [decided, open] = posts;
  await desk.call("PATCH", `/posts/${decided?.id}`, { approved: false, reject_reason: 2 });

  await desk.open(page, "/settings/reviews");
  const log = page.getByRole("table", { name: "Review log" });
  const line = log
    .getByRole("row")
    .filter({ has: page.locator(`a[href="/posts/${decided?.id}"]`) })
    .first();
  await expect(line).toContainText("Rejected");
  await expect(line).toContainText("Off topic");
  await page.getByLabel("Reason", { exact: true }).selectOption({ label: "Off topic" });
  await expect(page).toHaveURL(/reject_reason=2/);
  await expect(line).toContainText("Off topic");
  await expectAccessible(page, "the review log");
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoHorizontalScroll(page, "the review log on a phone");
  await page.setViewportSize({ width: 1280, height: 800 });

  await line.locator('a[href*="reviewer="]').click();
  await expect(page).toHaveURL(/\/posts\?happened=reviewed&reviewer=\d+/);
  const shown = (id: number | undefined) => page.locator(`a[href="/posts/${id}"]`).first();
  await expect(shown(decided?.id)).toBeVisible();
  await expect(shown(open?.id)).toHaveCount(0);
  const chip = page.getByRole("button", { name: /^Remove filter: Decided by: / });
  await expect(chip.first()).toBeVisible();

  await desk.open(page, "/posts");
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  const sheet = page.getByRole("dialog");
  const by = sheet.getByLabel("Decided by", { exact: true });
  await by.selectOption({ label: "Unknown member" });
  await sheet.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/reviewer=0/);
  await expect(page.getByRole("button", { name: "Remove filter: Decided by: Unknown member" })).toBeVisible();
});
