import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import { announcement, expectTopCard, newAuthor, test, textPost, topCard } from "#tests/setup/desk.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* The desk without a pointer. */

const heron = (n: number) => ({
  id: `heron-${n}`,
  type: "image" as const,
  picture: {
    seed: `heron${n}`,
    theme: "garden" as const,
    width: 800,
    height: 600,
    format: "jpeg" as const,
    quality: 80,
  },
  alt: n === 1 ? "A heron at the weir" : null,
});

test("a whole session by keyboard: decide, reason, note, enlarge, decide inside, undo, all posts of an author", async ({
  page,
  desk,
}) => {
  const [, other] = desk.remote.control.people;
  if (!other) throw new Error("The simulated server has too few people.");
  const author = newAuthor(desk, "heron_watcher");
  const by = (person: typeof author, text: string, media = false) => ({
    ...textPost(text),
    author: person,
    ...(media ? { media: [heron(1), heron(2)] } : {}),
  });
  const { path, posts } = await desk.addPosts([
    by(author, "One", true),
    { ...by(other, "Two"), sensitive: true },
    by(author, "Three"),
    by(author, "Four", true),
    by(other, "Five"),
  ]);
  const [one, two] = posts;
  const states = () => Promise.all(posts.map(desk.approvedOf));
  await desk.open(page, path);
  await expectTopCard(page, one);
  await expect(announcement(page)).toHaveText(
    /^Next: .+: One.*\. 2 attachments: A heron at the weir; no description/,
  );

  // Enlarged: arrows, decide inside, undo inside.
  await page.keyboard.press("e");
  const enlarged = page.getByRole("dialog", { name: "Attachment 1 of 2" });
  await expect(enlarged).toBeVisible();
  await expect(enlarged.getByRole("group", { name: "Decide" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("dialog", { name: "Attachment 2 of 2" })).toBeVisible();
  await expectAccessible(page, "the enlarged view");
  await page.keyboard.press("a");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectTopCard(page, two);
  await expect(announcement(page)).toContainText(`Approved. Next: ${other.display_name}: Two`);
  await expect(announcement(page)).toContainText("Marked sensitive");
  await expect.poll(states).toEqual([true, null, null, null, null]);
  await page.keyboard.press("z");
  await expectTopCard(page, one);
  await expect.poll(states).toEqual([null, null, null, null, null]);
  for (const [key, expected] of [
    ["r", false],
    ["2", false],
  ] as const) {
    await page.keyboard.press("e");
    await expect(page.getByRole("dialog", { name: "Attachment 1 of 2" })).toBeVisible();
    await page.keyboard.press(key);
    await expectTopCard(page, two);
    await expect.poll(() => desk.approvedOf(one)).toBe(expected);
    await page.keyboard.press("z");
    await expectTopCard(page, one);
    await expect.poll(() => desk.approvedOf(one)).toBeNull();
  }
  await page.keyboard.press("e");
  await expect(page.getByRole("dialog", { name: "Attachment 1 of 2" })).toBeVisible();
  await page.keyboard.press("s");
  await expectTopCard(page, two);
  await page.keyboard.press("e");
  await page.keyboard.press("z");
  await expectTopCard(page, one);

  // The button of a line leaves with it.
  await page.keyboard.press("s");
  await expectTopCard(page, two);
  await page.keyboard.press("r");
  await page
    .getByRole("button", { name: /^Undo: / })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await expectTopCard(page, two);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("DIV");
  await page.keyboard.press("z");
  await expectTopCard(page, one);

  // A note: Shift-Enter is a new line, Escape and Enter close and keep the text.
  const note = page.getByRole("textbox", { name: "Note" });
  await page.keyboard.press("n");
  await expect(note).toBeFocused();
  await page.keyboard.type("nice");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("heron");
  await page.keyboard.press("Escape");
  await expect(note).toHaveCount(0);
  await expect(topCard(page).locator("[data-note]")).toContainText("nice");
  await page.keyboard.press("n");
  await expect(note).toHaveValue("nice\nheron");
  await page.keyboard.press("Enter");
  await expect(note).toHaveCount(0);
  await expectTopCard(page, one);
  await page.keyboard.press("1");
  await expectTopCard(page, two);
  await expect.poll(async () => (await desk.stored(one)).reviewer_notes).toBe("nice\nheron");
  await page.keyboard.press("z");
  await expectTopCard(page, one);
  await expect.poll(() => desk.approvedOf(one)).toBeNull();

  // All waiting posts of the author are decided in the grid.
  await expect(topCard(page).getByRole("button", { name: /^2 more/ })).toBeVisible();
  await page.keyboard.press("m");
  await expect(page.locator("[data-stop]")).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select the 3 shown" }).check();
  await page.keyboard.press("r");
  await expect(toastMessage(page, "3 posts rejected")).toBeVisible();
  await expect.poll(states).toEqual([false, null, false, false, null]);
  await page.keyboard.press("z");
  await expect(toastMessage(page, "3 posts restored")).toBeVisible();
  await expect.poll(states).toEqual([null, null, null, null, null]);
  await page.goBack();
  await expectTopCard(page, one);
});
