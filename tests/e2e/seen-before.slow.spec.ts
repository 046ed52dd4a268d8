import type { Page } from "@playwright/test";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { expect, panelOf } from "#tests/setup/browser-test.ts";
import { topCard, expectTopCard, newAuthor, test, textPost, type PostInput } from "#tests/setup/desk.ts";
import { expectAccessible, tabTo } from "#tests/setup/page-checks.ts";
import type { Picture } from "#tests/simulated-server/pictures.ts";

type Author = ReturnType<typeof newAuthor>;
type Scene = Pick<Picture, "seed" | "theme"> & { copy?: boolean };

function withPicture({ seed, theme, copy = false }: Scene, given: PostInput = {}): PostInput {
  const [width, height] = copy ? [600, 400] : [1200, 800];
  const format = copy ? "webp" : "jpeg";
  return {
    media: [
      {
        id: `${seed}-${copy ? "copy" : "original"}`,
        type: "image",
        picture: { seed, theme, width, height, format, quality: copy ? 60 : 82 },
        alt: copy ? null : "Hills in the evening",
      },
    ],
    ...given,
  };
}

const boxOn = (page: Page) =>
  topCard(page)
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Seen before" }) })
    .filter({ visible: true });

function listenForAnswers(page: Page): Map<number, number> {
  const answers = new Map<number, number>();
  page.on("response", async (response) => {
    const [, id] = /\/api\/v1\/posts\/(\d+)$/.exec(response.url()) ?? [];
    if (id === undefined || response.request().method() !== "GET" || !response.ok()) return;
    const { seen_before: items } = (await response.json()) as ShownPost;
    answers.set(Number(id), items.length);
  });
  return answers;
}

test("a copy of an approved picture is marked and both can be compared", async ({ page, desk }) => {
  // Other files add posts by the server's people: a long record leaves less room for the copy.
  const [ann, bob] = ["ann", "bob"].map((name) => newAuthor(desk, name)) as [Author, Author];
  const scene = { seed: "meadow", theme: "landscape" } as const;
  const { path, posts } = await desk.addPosts([
    withPicture(scene, { ...textPost("An original"), author: ann }),
    withPicture({ ...scene, copy: true }, { ...textPost("A copy"), author: bob }),
    withPicture({ seed: "other", theme: "cats" }, textPost("Another picture")),
  ]);
  const [original, copy, other] = posts;
  const answers = listenForAnswers(page);
  await desk.open(page, path);
  await expectTopCard(page, original);
  await expect.poll(() => answers.get(copy?.id ?? 0)).toBe(1);
  const decide = page.getByRole("group", { name: "Decide" });
  const before = await decide.boundingBox();
  await page.keyboard.press("a");
  await expectTopCard(page, copy);

  const box = boxOn(page);
  await expect(box).toContainText("Approved");
  await expect(box.locator("[data-seen]")).toHaveAttribute("data-seen", String(original?.id));
  expect(await decide.boundingBox()).toEqual(before);
  await expect(page.locator("[data-said-seen]")).toHaveText(
    new RegExp(`^Picture seen before, in a post by @${ann.username}@.*: approved\\.$`),
  );
  await expect(page.locator("body")).toBeFocused();
  await expectAccessible(page, "the card");

  const compare = box.getByRole("button", { name: `Compare with the post by @${ann.username}@` });
  await tabTo(page, compare);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Compare pictures" });
  const pictures = dialog.locator("figure img");
  await expect(pictures).toHaveCount(2);
  for (const [at, post] of [copy, original].entries()) {
    await expect(pictures.nth(at)).toHaveAttribute("src", `/media/post/${post?.id}/0`);
    await expect
      .poll(() => pictures.nth(at).evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
  }
  const captions = dialog.locator("figcaption");
  await expect(captions.first()).toContainText(`This post: @${bob.username}@`);
  await expect(captions.last()).toContainText(`Seen before: @${ann.username}@`);
  await expect(captions.last().getByRole("link", { name: "Open post" })).toHaveAttribute(
    "href",
    `/posts/${original?.id}`,
  );
  await expectAccessible(page, "both pictures");
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(compare).toBeFocused();
  await expectTopCard(page, copy);

  await page.keyboard.press("r");
  await expectTopCard(page, other);
  await expect.poll(() => answers.get(other?.id ?? 0)).toBe(0);
  await expect(boxOn(page)).toHaveCount(0);
  await expect(page.locator("[data-said-seen]")).toHaveText("");

  await page.goto(`${desk.app.url}/posts/${copy?.id}`);
  const panel = panelOf(page, "Seen before");
  await expect(panel).toContainText("Approved");
  await panel.getByRole("button", { name: /^Compare/ }).click();
  await expect(dialog.locator("figure img")).toHaveCount(2);
});

test("the earlier picture is covered and revealed with the card's own pictures", async ({ page, desk }) => {
  const scene = { seed: "covered", theme: "garden" } as const;
  const { path, posts } = await desk.addPosts([
    withPicture(scene, textPost("An original")),
    withPicture({ ...scene, copy: true }, { ...textPost("A copy"), sensitive: true }),
  ]);
  const answers = listenForAnswers(page);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await expect.poll(() => answers.get(posts[1]?.id ?? 0)).toBe(1);
  await page.keyboard.press("r");
  await expectTopCard(page, posts[1]);
  const box = boxOn(page);
  await expect(box).toContainText("Rejected");
  await box.getByRole("button", { name: /^Compare/ }).click();
  const dialog = page.getByRole("dialog", { name: "Compare pictures" });
  const covers = dialog.getByRole("button", { name: "Covered – show" });
  await expect(covers).toHaveCount(2);
  await covers.first().click();
  await expect(covers).toHaveCount(0);
  await expect(dialog.locator("figure img").last()).toHaveCSS("filter", "none");
  await page.keyboard.press("Escape");
  await expect(topCard(page).locator("[data-medium] img")).toHaveCSS("filter", "none");
});
