import type { Page } from "@playwright/test";
import type { SimMedia } from "#tests/simulated-server/server.ts";
import { deskTest, expectTopCard, textPost, topCard, type StoredPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* On wide screens the picture is beside the text, and an ordinary post needs no scrolling. */

const test = deskTest();

const TEXT = "The heron stood at the weir this morning and did not mind the joggers at all. "
  .repeat(4)
  .slice(0, 300);

let drawn = 0;
/** Different pictures, because copies would be listed on the card. */
const picture = (width: number, height: number, alt: string | null = "A heron at the weir"): SimMedia => ({
  id: `picture-${++drawn}`,
  type: "image",
  picture: { seed: `beside ${drawn}`, theme: "garden", width, height, format: "jpeg", quality: 80 },
  alt,
});

/** Advice against the post, a locked bot, an author with a record, and consent signs. */
async function addFlags(databaseUrl: string, posts: readonly StoredPost[]): Promise<void> {
  const ids = posts.map(({ id }) => id);
  await query(
    databaseUrl,
    `UPDATE post SET ai_would_reject = true, ai_score = 0.83, classified_at = now(), author_is_bot = true, author_locked = true,
            ai_reasons = '["Text resembles rejected posts","Many links"]', language = 'en'
      WHERE id = ANY ($1)`,
    [ids],
  );
}

async function boxes(page: Page) {
  return topCard(page).evaluate((card) => {
    const box = (selector: string) => {
      const found = card.querySelector(selector)?.getBoundingClientRect();
      return found ? { left: found.left, right: found.right, top: found.top, bottom: found.bottom } : null;
    };
    const scrolls = [card, ...card.querySelectorAll("article, aside")].flatMap((each) =>
      each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY === "auto"
        ? [`${each.tagName} ${each.scrollHeight} > ${each.clientHeight}`]
        : [],
    );
    const root = document.documentElement;
    if (root.scrollHeight > innerHeight) scrolls.push(`page ${root.scrollHeight}`);
    return {
      scrolls,
      article: box("article"),
      text: box(".post-text"),
      picture: box("[data-medium] figure > div"),
      poll: box('section[aria-label="Poll"]'),
      link: box("div:has(> .lucide-link-2)"),
    };
  });
}

test("at 1280 × 800 a post with a picture, 300 characters, flags and advice is seen whole, picture beside text", async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { path, posts } = await desk.addPosts([
    { ...textPost(TEXT), media: [picture(1600, 1200)] },
    { ...textPost(TEXT), media: [picture(900, 1600)] },
    { ...textPost(TEXT), media: [picture(1600, 1200), picture(1500, 1000, null)] },
    { ...textPost(TEXT), media: [1, 2, 3, 4].map((n) => picture(1000 + n, 1000)) },
  ]);
  await addFlags(desk.databaseUrl, posts);
  await desk.open(page, path);
  for (const [at, post] of posts.entries()) {
    await expectTopCard(page, post);
    await expect(topCard(page).getByText("Checks would reject").last()).toBeVisible();
    const { scrolls, article, text, picture: frame } = await boxes(page);
    expect(scrolls, `post ${at}`).toEqual([]);
    if (!article || !text || !frame) throw new Error("The card is incomplete.");
    expect(frame.left, `post ${at}`).toBeGreaterThanOrEqual(text.right);
    expect(frame.right).toBeLessThanOrEqual(article.right);
    expect(frame.top - article.top, "at the top of the card").toBeLessThan(40);
    // Limited by the width or the height of its column.
    const isWide = frame.right - frame.left > (article.right - article.left) * 0.5;
    if (at < 2) expect(isWide || frame.bottom > article.bottom - 90, `post ${at}`).toBe(true);
    for (const button of await page.getByRole("group", { name: "Decide" }).getByRole("button").all())
      if (await button.isVisible()) await expect(button).toBeInViewport({ ratio: 1 });
    if (at === 0) await expectAccessible(page, "the desk with a picture beside the text");
    await page.keyboard.press("a");
  }
});

test(
  "poll, video and link card stand beside the text; without either the text has a readable measure; narrower screens have one column",
  { tag: "@slow" },
  async ({ page, desk }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const { path, posts } = await desk.addPosts([
      { kind: "poll", ...textPost(TEXT) },
      { kind: "video", ...textPost(TEXT) },
      textPost(TEXT.repeat(2)),
      { ...textPost(TEXT.repeat(12)), media: [picture(900, 1600, "A long description. ".repeat(40))] },
      { kind: "card", ...textPost(TEXT) },
    ]);
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await expect(topCard(page).getByRole("region", { name: "Poll" })).toBeVisible();
    const first = await boxes(page);
    expect(first.poll?.left).toBeGreaterThanOrEqual(first.text?.right ?? Infinity);
    expect(first.scrolls).toEqual([]);
    await page.keyboard.press("a");

    await expectTopCard(page, posts[1]);
    for (const [width, isBeside] of [
      [1280, true],
      [1100, true],
      [1099, false],
      [390, false],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const { text, picture: frame } = await boxes(page);
      expect((frame?.left ?? 0) >= (text?.right ?? Infinity), `at ${width}`).toBe(isBeside);
      expect((frame?.top ?? 0) >= (text?.bottom ?? Infinity), `at ${width}`).toBe(!isBeside);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press("a");

    await expectTopCard(page, posts[2]);
    const plain = await boxes(page);
    const width = (plain.text?.right ?? 0) - (plain.text?.left ?? 0);
    expect(width).toBeGreaterThan(450);
    expect(width).toBeLessThanOrEqual(65 * 11);
    await page.keyboard.press("a");

    // The picture of a long text stays beside it.
    await expectTopCard(page, posts[3]);
    const article = topCard(page).locator("article");
    await page.keyboard.press("PageDown");
    await expect.poll(() => article.evaluate((each) => each.scrollTop)).toBeGreaterThan(100);
    await expect(topCard(page).locator("[data-medium] figure > div")).toBeInViewport({ ratio: 0.9 });
    await expectAccessible(page, "the desk with a long text and a long description");

    await page.keyboard.press("a");

    await expectTopCard(page, posts[4]);
    await expect(topCard(page).getByText("meadow-notes.example").first()).toBeVisible();
    const linked = await boxes(page);
    expect(linked.link?.left).toBeGreaterThanOrEqual(linked.text?.right ?? Infinity);

    await desk.open(page, `/posts/${posts[3]?.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page, "the page of a post");
  },
);
