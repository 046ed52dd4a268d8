import type { Page } from "@playwright/test";
import { expectTopCard, test, textPost, topCard } from "#tests/setup/desk.ts";
import type { DeskInstallation, StoredPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { expectAccessible, expectContrast, setTheme } from "#tests/setup/page-checks.ts";

/* The advice of the checks at the desk: badge, panel and filters. */

const scores = { drawing: 0.04, hentai: 0.06, neutral: 0.6, porn: 0.2, sexy: 0.1 };
const mentions = [{ name: "many_mentions", reason: "The post mentions 12 accounts." }];

interface Advice {
  reject?: boolean;
  score?: number;
  reasons?: string[];
}

/** Writes raw results and their verdict, as the checks would. */
async function advise(desk: DeskInstallation, post: StoredPost, advice: Advice = {}): Promise<void> {
  const { reject = true, score = 0.75, reasons = ["The post mentions 12 accounts."] } = advice;
  const checks = [
    {
      name: "rules",
      kind: "text",
      version: "1",
      score,
      threshold: 0.7,
      votes: true,
      reason: reasons[0] ?? null,
    },
  ];
  await query(
    desk.databaseUrl,
    `INSERT INTO post_check (post_id, rules, picture_state, pictures) VALUES ($1, $2, 'done', $3)
     ON CONFLICT (post_id) DO UPDATE SET rules = excluded.rules, picture_state = 'done', pictures = excluded.pictures`,
    [
      post.id,
      JSON.stringify(reject ? mentions : []),
      JSON.stringify([
        {
          medium: 0,
          source: "a",
          state: "done",
          error: null,
          scores,
          engine: "model@1",
        },
        {
          medium: 1,
          source: "b",
          state: "failed",
          error: "not a picture",
          scores: null,
          engine: "model@1",
        },
      ]),
    ],
  );
  await query(
    desk.databaseUrl,
    `UPDATE post SET ai_would_reject = $2, ai_score = $3, ai_reasons = $4, ai_checks = $5, vision_category = 'neutral',
                     classified_at = now() WHERE id = $1`,
    [post.id, reject, score, JSON.stringify(reasons), JSON.stringify(checks)],
  );
}

/** Posts of a new stream, oldest first. */
const postsOf = (desk: DeskInstallation, count: number) =>
  desk.addPosts(Array.from({ length: count }, (_, at) => textPost(`Post ${at}`)));

const panel = (page: Page) => page.getByRole("dialog", { name: "Checks of this post" });
const badge = (page: Page) => topCard(page).locator("[data-checks]").filter({ visible: true }).first();

test("the badge opens a panel with every check, by keyboard and pointer", async ({ page, desk }) => {
  const { path, posts } = await postsOf(desk, 2);
  const reasons = ["The post mentions 12 accounts.", "Second reason.", "Third reason.", "Fourth reason."];
  await advise(desk, posts[0] as StoredPost, { reasons });
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await expect(badge(page)).toHaveText("Checks would reject");
  await page.keyboard.press("k");
  const rules = panel(page).locator('[data-check="rules"]');
  await expect(rules).toContainText("Text rules");
  await expect(rules).toContainText("Votes");
  await expect(rules).toContainText("Over its threshold");
  await expect(panel(page)).not.toContainText(/Score|version/);
  await expect(panel(page).getByRole("table")).toHaveCount(0);
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    await (theme === "light" ? expectAccessible : expectContrast)(page, `the panel in ${theme}`);
  }
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    await (theme === "light" ? expectAccessible : expectContrast)(page, `the desk in ${theme}`);
  }

  await badge(page).focus();
  await page.keyboard.press("Enter");
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(badge(page)).toBeFocused();
  await badge(page).click();
  await expect(panel(page)).toBeVisible();
});

test("filters by result and picture stand in the address and can be saved", async ({ page, desk }) => {
  const { path, posts } = await postsOf(desk, 3);
  await advise(desk, posts[0] as StoredPost);
  await advise(desk, posts[1] as StoredPost, { reject: false, score: 0.5, reasons: [] });
  await advise(desk, posts[2] as StoredPost, { reject: false, score: 0, reasons: [] });
  await desk.open(page, path);
  await page.getByRole("button", { name: /^Filters/ }).click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByRole("combobox", { name: "Check result" }).selectOption("Doubts");
  await sheet.getByRole("combobox", { name: "Picture check" }).selectOption("Neutral");
  await sheet.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "Doubts first" }).click();
  await expectTopCard(page, posts[1]);
  await expect(page).toHaveURL(/ai_result=unsure&vision_category=neutral&order=ai_unsure/);
  await expect(page.getByRole("button", { name: "Remove filter: Check result: Doubts" })).toBeVisible();
  await page.reload();
  await expectTopCard(page, posts[1]);
  await expect(badge(page)).toHaveText("Checks have doubts");
  await page.getByRole("button", { name: "Remove filter: Check result: Doubts" }).click();
  await page.getByRole("button", { name: "Remove filter: Picture check: Neutral" }).click();
  // The score nearest to 0.5 comes first.
  await expectTopCard(page, posts[1]);
});
