import type { Page } from "@playwright/test";
import type { ApiCaller } from "#tests/setup/api-client.ts";
import { expect, installationTest } from "#tests/setup/browser-test.ts";
import { startWithSampleData } from "#tests/setup/installation.ts";
import { query } from "#tests/setup/database.ts";
import { expectLoaded, listPages } from "#tests/setup/page-checks.ts";

/* On every page: targets of at least 24 px, and the right end of right-to-left text. */

const test = installationTest(startWithSampleData);
test.use({ trace: "off" });

/** WCAG 2.2, 2.5.8: CSS pixels. */
const LEAST = 24;

test("every control is at least 24 px wide and high, and right-to-left text begins at its right end", async ({
  page,
  installation,
}) => {
  test.setTimeout(300_000);
  const { sample, app, databaseUrl } = installation;
  await installation.signIn(page.context());
  await writeArabic(databaseUrl);
  const pages = [
    ...listPages({
      streamId: sample.streamId,
      postId: sample.duplicate,
      account: sample.account,
      keyId: sample.keyId,
    }),
    ...["/review?view=grid", "/posts?approved=true", "/posts?q=مالك"].map((path) => ({
      path,
      signedOut: false,
    })),
  ].filter(({ signedOut }) => !signedOut);
  const found: string[] = [];
  let arabic = 0;
  for (const { path } of pages) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(new URL(path, app.url).href);
    await expectLoaded(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      found.push(...(await smallTargets(page)).map((each) => `${path} at ${width}: ${each}`));
      const texts = await rightToLeftTexts(page);
      arabic += texts.count;
      found.push(...texts.wrong.map((each) => `${path} at ${width}, direction: ${each}`));
    }
  }
  expect(found).toEqual([]);
  expect(arabic).toBeGreaterThan(50);
});

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };
for (const [name, path, open] of [
  ["the history of actions", "/queue", press("Shift+Z")],
  ["the posts of an author", "/review", press("m")],
  ["the question before a block", "/review", press("b")],
  ["the preview", "/review?view=grid", press("j", "Space")],
  ["the filters", "/review", (page: Page) => page.getByRole("button", { name: /^Filters/ }).click()],
] as const) {
  test(`every control of ${name} is at least 24 px wide and high`, async ({ page, installation }) => {
    const author = await authorWithTwoPosts(installation.call);
    await installation.open(page, path === "/review" ? `${path}?author=${encodeURIComponent(author)}` : path);
    await expectLoaded(page);
    const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await expect(async () => {
      await open(page);
      await expect(dialog).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(dialog.locator(".animate-skeleton, [aria-busy=true]")).toHaveCount(0);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(dialog).toBeVisible();
      expect(await dialog.getByRole("button").count()).toBeGreaterThan(1);
      expect(await smallTargets(page), `at ${width}`).toEqual([]);
    }
  });
}

test("the checks of this file find a small target and text with the wrong direction", async ({ page }) => {
  await page.setContent(`
    <p>Read <a href="#a">this</a> first.</p>
    <a href="#b" style="display: block; height: 18px; width: 90px" id="b">Alone</a>
    <style>.late:not(:focus) { opacity: 0 }</style>
    <button class="late" style="padding: 0; border: 0; height: 20px" id="c">Skip</button>
    <label style="display: block; min-height: 24px"><input type="checkbox"> Box</label>
    <p id="wrong">مالك الحزين</p><p dir="auto">مالك الحزين</p><p>By <bdi>مالك</bdi></p>`);
  expect(await smallTargets(page)).toEqual([
    expect.stringContaining('id="b"'),
    expect.stringContaining('id="c"'),
  ]);
  expect(await rightToLeftTexts(page)).toMatchObject({ count: 3, wrong: [expect.stringContaining("wrong")] });
});

async function authorWithTwoPosts(call: ApiCaller): Promise<string> {
  const { json } = await call<{ items: { author_account: string }[] }>(
    "GET",
    "/posts?reviewed=false&limit=1000",
  );
  const accounts = json.items.map((post) => post.author_account);
  const account = accounts.find((each, at) => accounts.indexOf(each) < at);
  if (account === undefined) throw new Error("No author has two posts to review.");
  return account;
}

/** Long enough to be cut off everywhere. */
async function writeArabic(databaseUrl: string): Promise<void> {
  const text = "شوهد مالك الحزين صباح اليوم عند السد وهو يراقب الماء بهدوء تام ".repeat(6).trim();
  await query(
    databaseUrl,
    `UPDATE post SET content = '<p>' || $1 || '</p>', plain_text = $1, snippet = left($1, 140), language = 'ar',
            author_display_name = 'عبد الرحمن بن محمد بن عبد العزيز المصور الفوتوغرافي الهاوي من مدينة الإسكندرية',
            reviewer_notes = CASE WHEN reviewer_notes IS NULL THEN NULL ELSE 'ملاحظة طويلة عن هذا المنشور من المراجع الأول' END,
            spoiler_text = CASE WHEN spoiler_text IS NULL OR spoiler_text = '' THEN spoiler_text ELSE 'تحذير من المحتوى الحساس في هذه الصورة المرفقة' END`,
    [text],
  );
}

/** Links in running text are exempt. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const selector =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=switch], [role=menuitem]";
    const isInText = (element: Element) => {
      if (element.tagName !== "A" || getComputedStyle(element).display !== "inline") return false;
      let parent = element.parentElement;
      while (parent && getComputedStyle(parent).display === "inline") parent = parent.parentElement;
      const rest = (parent?.textContent ?? "").replace(element.textContent ?? "", "").trim();
      return /\p{L}{2,}/u.test(rest);
    };
    return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
      if (element.closest("[inert], [aria-hidden=true]") || isInText(element)) return [];
      const isShown = () => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      // Some appear or grow with the focus.
      if (!isShown() || element.getBoundingClientRect().width <= 1) element.focus({ preventScroll: true });
      if (!isShown()) return [];
      const own = element.getBoundingClientRect();
      // A link that covers its panel.
      const after = getComputedStyle(element, "::after");
      if (
        after.position === "absolute" &&
        parseFloat(after.width) >= least &&
        parseFloat(after.height) >= least
      )
        return [];
      const label = (element as HTMLInputElement).labels?.[0]?.getBoundingClientRect();
      const isLarge = (box: DOMRect | undefined) =>
        box !== undefined && box.width >= least - 0.5 && box.height >= least - 0.5;
      if (own.width === 0 || own.bottom < 0 || isLarge(own) || isLarge(label)) return [];
      return [`${own.width.toFixed(0)} × ${own.height.toFixed(0)} ${element.outerHTML.slice(0, 160)}`];
    });
  }, LEAST);
}

/** Text that begins with a right-to-left letter, or whose visible part is cut off, has that direction. */
function rightToLeftTexts(page: Page): Promise<{ count: number; wrong: string[] }> {
  return page.evaluate(() => {
    const isRightToLeft = (text: string) => /[\u0590-\u08ff]/.test(/\p{L}/u.exec(text)?.[0] ?? "");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const wrong: string[] = [];
    let count = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !isRightToLeft(node.textContent ?? "")) continue;
      if (!parent.checkVisibility() || parent.closest("script, style, .hidden-visually, option")) continue;
      count += 1;
      const cut = cutter(parent);
      const isWrong = (each: Element | null) => each !== null && getComputedStyle(each).direction !== "rtl";
      if (isWrong(parent) || isWrong(cut))
        wrong.push((isWrong(cut) ? cut : parent)?.outerHTML.slice(0, 200) ?? "");
    }
    return { count, wrong };

    /** The box that cuts the text off at its side. */
    function cutter(element: Element): Element | null {
      for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
        const { textOverflow, whiteSpace } = getComputedStyle(each);
        if (textOverflow === "ellipsis" && whiteSpace.startsWith("nowrap"))
          return each.scrollWidth > each.clientWidth ? each : null;
      }
      return null;
    }
  });
}
