import { expect, test } from "@playwright/test";

/* Without fonts, screenshots prove nothing. */

test("the browser draws Latin, Japanese and emoji with different shapes", async ({ page }) => {
  await page.setContent("<canvas width=400 height=60></canvas>");
  const shapes = await page.evaluate(() => {
    const context = document.querySelector("canvas")?.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no canvas");
    return ["A", "日", "本", "🎉", "😀"].map((letter) => {
      context.clearRect(0, 0, 400, 60);
      context.font = "40px sans-serif";
      context.fillText(letter, 5, 45);
      return context.getImageData(0, 0, 60, 60).data.join();
    });
  });
  expect(new Set(shapes).size).toBe(5);
  for (const shape of shapes) expect(shape).toMatch(/[1-9]/);
});
