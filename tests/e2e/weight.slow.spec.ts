import { brotliCompressSync } from "node:zlib";
import { topCard, expectTopCard, deskTest as test } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";

/** Kilobytes of 1000 bytes in Brotli, whatever compression a proxy or Next chooses; React and its router take 113. */
const MAX_SCRIPT = 186;

test("the first load of the desk stays within its script size", async ({ page, desk }) => {
  const { path } = await desk.addPosts([{ kind: "pictures" }, { kind: "picture" }, {}]);
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    sizes.set(
      response.url(),
      response.body().then((script) => brotliCompressSync(script).length),
    );
  });
  await desk.open(page, path);
  await expect(topCard(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
  const bytes = await Promise.all(sizes.values());
  const total = bytes.reduce((sum, size) => sum + size, 0) / 1000;
  test.info().annotations.push({ type: "script of /review", description: `${total.toFixed(1)} kB` });
  expect(bytes.length).toBeGreaterThan(3);
  expect(total).toBeLessThanOrEqual(MAX_SCRIPT);
});

for (const width of [1280, 390]) {
  test(
    `the layout does not shift when pictures load, at ${width} pixels`,
    { tag: width < 1000 ? "@slow" : [] },
    async ({ page, desk }) => {
      await page.setViewportSize({ width, height: 800 });
      const { path, posts } = await desk.addPosts([
        { kind: "pictures" },
        { kind: "picture", sensitive: true },
        { kind: "video" },
      ]);
      let arrive = () => {};
      const held = new Promise<void>((release) => (arrive = release));
      await page.route("**/media/post/**", async (route) => {
        await held;
        await route.continue();
      });
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            };
            if (hadRecentInput) continue;
            const { dataset } = document.documentElement;
            dataset.shift = String(Number(dataset.shift ?? 0) + value);
          }
        }).observe({ type: "layout-shift", buffered: true });
      });
      const shift = () => page.evaluate(() => document.documentElement.dataset.shift ?? "0");
      await desk.open(page, path);
      await expectTopCard(page, posts[0]);
      const pictures = topCard(page).locator("[data-medium] img");
      await expect(pictures.first()).toBeVisible();
      const before = await shift();
      arrive();
      const areThere = () =>
        pictures.evaluateAll((all) => all.every((each) => (each as HTMLImageElement).naturalWidth > 0));
      await expect.poll(areThere).toBe(true);
      // Shifts are reported with the frame that drew them.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      test.info().annotations.push({ type: "shift until the first card", description: before });
      expect(await shift()).toBe(before);
      expect(Number(before)).toBeLessThan(0.1);
      await topCard(page)
        .locator("article")
        .evaluate((article) =>
          article.prepend(Object.assign(document.createElement("p"), { textContent: "Jump" })),
        );
      await expect.poll(shift).not.toBe(before);
    },
  );
}
