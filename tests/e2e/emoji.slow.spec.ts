import type { Locator } from "@playwright/test";
import { authorHref } from "#lib/client/author-href.ts";
import { deskTest, textPost, listOf } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";

const test = deskTest();

async function expectDrawn(container: Locator, count: number): Promise<void> {
  const pictures = container.getByRole("img", { name: ":ok:" });
  await expect(pictures).toHaveCount(count);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
    await expect(picture).toHaveAttribute("src", /^\/media\/emoji\/\d+\/\d+$/);
  }
  await expect(container.getByText(":ok:")).toHaveCount(0);
}

test("custom emoji are drawn in grid, list, queue and on the author's page", async ({ page, desk }) => {
  const { sources } = await desk.addPosts([textPost("Hello")]);
  const [source] = sources;
  if (!source) throw new Error("Nothing was dealt");
  const author = { ...source.author, id: "90001", username: "dora", display_name: "Dora :ok:" };
  const { path, posts } = await desk.addPosts([
    { ...textPost("Done :ok: and nothing :Else:"), author },
    { ...textPost("Asked"), kind: "poll" },
  ]);
  const [post, asking] = posts;

  await desk.open(page, `${path}&view=grid`);
  const tile = page.locator(`[data-post="${post?.id}"]`);
  // One in the name, one in the text.
  await expectDrawn(tile, 2);
  await expect(tile.getByText("and nothing :Else:")).toBeVisible();
  await expect(page.locator(`[data-post="${asking?.id}"]`).getByText("Poll", { exact: true })).toBeVisible();
  await expect(tile.getByText("Poll", { exact: true })).toHaveCount(0);

  await desk.open(page, listOf(path));
  await expectDrawn(page.getByRole("row").filter({ hasText: "Done" }), 1);
  await expect(page.getByRole("row").getByRole("img", { name: "Poll" })).toHaveCount(1);

  await desk.call("POST", `/posts/${post?.id}/approve`);
  await desk.open(page, "/queue");
  await expectDrawn(page.getByRole("row").filter({ hasText: "Done" }), 1);

  const { json } = await desk.call<{ author_account: string }>("GET", `/posts/${post?.id}`);
  await desk.open(page, authorHref(json.author_account));
  await expectDrawn(page.getByRole("heading", { level: 1 }), 1);
  await expectDrawn(page.getByRole("listitem").filter({ hasText: "Done" }), 1);
  await expectDrawn(page.getByRole("row").filter({ hasText: "Done" }), 1);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("nothing");
  await expectDrawn(page.getByRole("option").filter({ hasText: "Done" }), 1);
});
