import type { Page } from "@playwright/test";
import { isBlind } from "#lib/review/hide-advice.ts";
import { announcement, deskTest, expectTopCard, textPost, topCard, listOf } from "#tests/setup/desk.ts";
import type { DeskInstallation, StoredPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { expectAccessible, expectContrast, setTheme } from "#tests/setup/page-checks.ts";

/* The advice of the checks at the desk: badge, panel, filters, and the tenth of posts that hides it. */

const test = deskTest();
const WIDTHS = [1280, 390];

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
          first: scores,
          second: scores,
          engine: "model@1",
        },
        {
          medium: 1,
          source: "b",
          state: "failed",
          error: "not a picture",
          first: null,
          second: null,
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

/** Posts of a new stream in this order, each in the blind tenth or not. */
async function postsOf(
  desk: DeskInstallation,
  ...blind: boolean[]
): Promise<{ path: string; posts: StoredPost[] }> {
  const { path, posts } = await desk.addPosts(Array.from({ length: 20 }, (_, at) => textPost(`Post ${at}`)));
  const left = [...posts];
  const kept = blind.map((wanted) => {
    const at = left.findIndex((post) => isBlind(post.id) === wanted);
    return left.splice(at, 1)[0] as StoredPost;
  });
  for (const post of left) await desk.call("DELETE", `/posts/${post.id}`);
  for (const [at, post] of kept.entries()) {
    await query(
      desk.databaseUrl,
      "UPDATE post SET created_at = date_trunc('day', now()) - interval '1 day' + $2 * interval '1 minute' WHERE id = $1",
      [post.id, at],
    );
  }
  return { path, posts: kept };
}

async function decisions(desk: DeskInstallation, would_reject: boolean, rejected: boolean, count: number) {
  await query(
    desk.databaseUrl,
    `INSERT INTO check_example (post_id, author_hmac, rejected, reviewed_at, checks)
     SELECT (SELECT coalesce(max(post_id), 1000000) FROM check_example) + n, 'a', $1, now(), $2
       FROM generate_series(1, $3::int) n`,
    [rejected, JSON.stringify([{ name: "rules", would_reject, votes: true }]), count],
  );
}

const panel = (page: Page) => page.getByRole("dialog", { name: "Checks of this post" });
const badge = (page: Page) => topCard(page).locator("[data-checks]").filter({ visible: true }).first();

for (const width of WIDTHS) {
  test(
    `the badge opens a panel with every check, by keyboard and pointer, at ${width} pixels`,
    { tag: width < 1000 ? "@slow" : [] },
    async ({ page, desk }) => {
      await page.setViewportSize({ width, height: 844 });
      const { path, posts } = await postsOf(desk, false, false);
      const reasons = ["The post mentions 12 accounts.", "Second reason.", "Third reason.", "Fourth reason."];
      await advise(desk, posts[0] as StoredPost, { reasons });
      await query(desk.databaseUrl, "DELETE FROM check_example");
      await decisions(desk, true, true, 3);
      await decisions(desk, true, false, 1);
      await desk.open(page, path);
      await expectTopCard(page, posts[0]);
      await expect(badge(page)).toHaveText("Checks would reject");
      await expect(topCard(page).getByText("Third reason.")).toBeVisible();
      await expect(topCard(page).getByText("Fourth reason.")).toHaveCount(0);

      await page.keyboard.press("k");
      const rules = panel(page).locator('[data-check="rules"]');
      await expect(rules).toContainText("Text rules");
      await expect(rules).toContainText("Votes");
      await expect(rules).toContainText("Over its threshold");
      await expect(panel(page)).not.toContainText(/Score|version/);
      await expect(rules).toContainText("Agreed with 3 of 4 recent decisions (75 %)");
      await expect(panel(page).getByRole("table")).toHaveCount(0);
      for (const theme of ["light", "dark"] as const) {
        await setTheme(page, theme);
        await (theme === "light" ? expectAccessible : expectContrast)(
          page,
          `the panel at ${width} in ${theme}`,
        );
      }
      await page.keyboard.press("k");
      await expect(panel(page)).toHaveCount(0);
      for (const theme of ["light", "dark"] as const) {
        await setTheme(page, theme);
        await (theme === "light" ? expectAccessible : expectContrast)(
          page,
          `the desk at ${width} in ${theme}`,
        );
      }

      await badge(page).focus();
      await page.keyboard.press("Enter");
      await expect(panel(page)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(badge(page)).toBeFocused();
      await badge(page).click();
      await panel(page).getByRole("button", { name: "Check again" }).click();
      await expect(panel(page).getByRole("status")).toContainText(
        "Checked again. New result: Checks see no problem.",
      );
      await page.keyboard.press("Escape");
      await expect(topCard(page).getByText("Checks see no problem")).toBeVisible();
      await expect(badge(page)).toHaveText("Checks see no problem");
    },
  );

  test(
    `hidden advice is told after the decision, and hidden again after an undo, at ${width} pixels`,
    { tag: width < 1000 ? "@slow" : [] },
    async ({ page, desk }) => {
      await page.setViewportSize({ width, height: 844 });
      const { path, posts } = await postsOf(desk, true, false, false);
      for (const post of posts) await advise(desk, post);
      const answers: string[] = [];
      page.on("response", async (response) => {
        if (/\/api\/v1\/(review\/deck|posts\/\d+\/score)/.test(response.url()))
          answers.push(await response.text().catch(() => ""));
      });
      await desk.open(page, path);
      await expectTopCard(page, posts[0]);
      await expect(badge(page)).toHaveText("Advice hidden until you decide");
      await expect(topCard(page)).not.toContainText("12 accounts");
      await page.keyboard.press("k");
      await expect(panel(page)).toContainText(
        "For one post in ten the advice is shown only after the decision.",
      );
      await expectAccessible(page, `hidden advice at ${width}`);
      await page.keyboard.press("Escape");
      const withAdvice = answers.filter((text) => {
        const { items } = JSON.parse(text || "{}") as { items?: { id: number; ai_would_reject: unknown }[] };
        return items?.some((item) => item.id === posts[0]?.id && item.ai_would_reject !== null) ?? true;
      });
      expect(withAdvice).toEqual([]);

      await page.keyboard.press("a");
      await expect(announcement(page)).toHaveText(/^Approved\. Next: .+Checks would reject\./);
      const history = page.locator("[data-decision=approve]").filter({ visible: true });
      const openHistory = async () => {
        if (width < 1216) await page.getByRole("button", { name: "Recent decisions" }).click();
      };
      await openHistory();
      await expect(history).toContainText("Checks: would reject");
      await expect(
        page
          .getByText("Checks agreed with 0 of 1 decision made with hidden advice")
          .filter({ visible: true }),
      ).toBeVisible();
      if (width < 1216) await page.keyboard.press("Escape");
      await page.reload();
      await expectTopCard(page, posts[1]);
      await openHistory();
      await expect(history).toContainText("Checks: would reject");
      await history.getByRole("button", { name: /^Undo/ }).click();
      if (width < 1216) await page.keyboard.press("Escape");
      await expect.poll(() => desk.approvedOf(posts[0])).toBeNull();
      await desk.open(page, path);
      await expectTopCard(page, posts[0]);
      await expect(badge(page)).toHaveText("Advice hidden until you decide");
    },
  );
}

test("filters by result and picture stand in the address and can be saved", async ({ page, desk }) => {
  const { path, posts } = await postsOf(desk, false, false, false);
  await advise(desk, posts[0] as StoredPost);
  await advise(desk, posts[1] as StoredPost, { reject: false, score: 0.5, reasons: [] });
  await advise(desk, posts[2] as StoredPost, { reject: false, score: 0, reasons: [] });
  await desk.open(page, path);
  await page.getByRole("button", { name: /^Filters/ }).click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByRole("combobox", { name: "Result of the checks" }).selectOption("Doubts");
  await sheet.getByRole("combobox", { name: "Picture check" }).selectOption("Neutral");
  await sheet.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "Doubts first" }).click();
  await expectTopCard(page, posts[1]);
  await expect(page).toHaveURL(/ai_result=unsure&vision_category=neutral&order=ai_unsure/);
  await expect(
    page.getByRole("button", { name: "Remove filter: Result of the checks: Doubts" }),
  ).toBeVisible();
  await page.reload();
  await expectTopCard(page, posts[1]);
  await expect(badge(page)).toHaveText("Checks have doubts");
  await page.getByRole("button", { name: "Remove filter: Result of the checks: Doubts" }).click();
  await page.getByRole("button", { name: "Remove filter: Picture check: Neutral" }).click();
  // The score nearest to 0.5 comes first.
  await expectTopCard(page, posts[1]);
});

test("grid and list open the same panel, and show the advice that the desk hides", async ({ page, desk }) => {
  const { path, posts } = await postsOf(desk, true);
  await advise(desk, posts[0] as StoredPost);
  await desk.open(page, `${path}&view=grid`);
  const tile = page.locator(`[data-post="${posts[0]?.id}"]`);
  await tile.getByRole("button", { name: "Checks would reject. Show details" }).click();
  await expect(panel(page).locator('[data-check="rules"]')).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tile.getByRole("button", { name: /^Checks would reject/ })).toBeFocused();
  await expect(tile.getByRole("checkbox")).not.toBeChecked();
  await desk.open(page, listOf(path));
  await expect(page.getByRole("row").filter({ hasText: "Checks would reject" })).toHaveCount(1);
});
