import type { Locator, Page } from "@playwright/test";
import type { ChecksQuality } from "#lib/checks/quality/schema.ts";
import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { addDecisionLog } from "#tests/setup/decision-log.ts";
import { startWithAdmin, type AdminInstallation } from "#tests/setup/installation.ts";
import {
  expectAccessible,
  expectContrast,
  expectNoHorizontalScroll,
  setTheme,
} from "#tests/setup/page-checks.ts";

const test = signedInTest(() =>
  startWithAdmin(
    { posts: 12, hashtags: ["cats"], settings: { AI_VISION: "off" } },
    async ({ call, remote }) => {
      const { json } = await call<{ id: number }>("POST", "/streams", {
        hashtag: "cats",
        instance: remote.host,
        enable_scheduling: false,
      });
      await call("POST", `/streams/${json.id}/fetch`);
      return {};
    },
  ),
);

const PHONE = { width: 390, height: 780 };

/** The whole page, in both themes. */
async function expectFine(page: Page, label: string): Promise<void> {
  await expectNoHorizontalScroll(page, label);
  await setTheme(page, "light");
  await expectAccessible(page, `${label} in light`);
  await setTheme(page, "dark");
  await expectContrast(page, `${label} in dark`);
}

/** The row has the figures of `GET /checks/quality`. */
async function expectFigures(
  learner: Locator,
  call: AdminInstallation["call"],
  span: "last_500" | "all_time",
): Promise<void> {
  const { json } = await call<ChecksQuality>("GET", "/checks/quality");
  const figures = json.checks.find(({ name }) => name === "learner")?.[span];
  if (!figures) throw new Error("no figures of the learner");
  const { auc, brier, brier_skill, ece } = figures;
  const numbers = [auc, brier, brier_skill, ece].map((figure) => (figure ?? NaN).toFixed(3));
  const shares = [figures.precision, figures.recall].map((share) => {
    const percent = Math.round(1000 * (share?.share ?? NaN)) / 10;
    return `${percent} % of ${share?.n}`;
  });
  await expect(learner.getByRole("cell")).toContainText([String(figures.n), ...numbers, ...shares]);
}

/** Progress of a check without enough decisions. */
const needed = /^\d+ of 30 approvals, \d+ of 30 rejections$/;

test("the settings say why pictures cannot be checked", async ({ page, installation }) => {
  await installation.open(page, "/settings/checks");
  const checks = panelOf(page, "Checks").getByRole("listitem");
  await expect(checks.filter({ hasText: "Explicit pictures" })).toContainText(
    "Not set up: Explicit pictures, Suggestive pictures. AI_VISION is off",
  );
  await expect(checks.filter({ hasText: "Text rules" })).not.toContainText("Not set up");
  await expect(page.getByText("Remote providers: Not set up. Nothing about posts is sent")).toBeVisible();
});

test("the page about the checks says what is missing before there are enough reviews", async ({
  page,
  installation,
}) => {
  await installation.open(page, "/statistics");
  await page.getByRole("link", { name: "How good are the checks?" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "How good are the checks?" })).toBeVisible();
  await expect(page.getByText("No decisions yet")).toBeVisible();
  await expect(page.getByText("Figures need 60 decisions: 30 approvals and 30 rejections.")).toBeVisible();

  await addDecisionLog(installation.databaseUrl, 40);
  await page.reload();
  const learner = panelOf(page, "Results of the checks").getByRole("listitem").first();
  await expect(learner).toContainText(/Warned of .* Missed /);
  await page.getByText("Details: agreement, scores and curves").click();
  await expect(page.getByRole("tabpanel").getByText(needed)).toBeVisible();
  await page.getByRole("tab", { name: "Question of the stream" }).click();
  await expect(
    page.getByRole("tabpanel").getByText("No reviewed post has a score of this check"),
  ).toBeVisible();
  await query(installation.databaseUrl, "DELETE FROM check_example");
});

test(`the figures of the checks have tables, and are reached with the keyboard`, async ({
  page,
  installation,
}) => {
  const { call } = installation;
  await query(installation.databaseUrl, "DELETE FROM check_example");
  await addDecisionLog(installation.databaseUrl, 900);
  await page.setViewportSize(PHONE);
  await installation.open(page, "/");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  await palette.getByRole("combobox").fill("calibration");
  await expect(palette.getByRole("option", { name: /^How good are the checks/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/statistics\/checks$/);

  await page.getByText("Details: agreement, scores and curves").focus();
  await page.keyboard.press("Enter");
  const figures = page.getByRole("table", { name: "Figures of each check" });
  const learner = figures.getByRole("row").filter({ hasText: "Learner" });
  await expect(learner).toContainText("500");
  await expectFigures(learner, call, "last_500");
  const recent = page.getByRole("radio", { name: "Last 500" });
  await recent.focus();
  await page.keyboard.press("ArrowRight");
  await expect(learner).toContainText("900");
  await expect(page.getByText("Only the hidden tenth of the posts gives an unbiased figure.")).toBeVisible();
  await expectFigures(learner, call, "all_time");
  const agreement = page.getByRole("table", { name: "Agreement with the advice" });
  await expect(agreement.getByRole("row").filter({ hasText: "All voting checks" })).toContainText(/% of \d+/);

  for (const [name, rows] of [
    ["Reliability: Learner", 10],
    ["Learning curve: Learner", 5],
  ] as const) {
    const chart = page.getByRole("figure", { name });
    await chart.getByText("Show as table").focus();
    await page.keyboard.press("Enter");
    await expect(chart.getByRole("table").getByRole("row")).toHaveCount(rows + 1);
    await expect(chart.getByRole("columnheader", { name: "Decisions" }).last()).toBeVisible();
  }
  await page.getByRole("tab", { name: "Learner" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel").getByText(needed)).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("figure", { name: "Learning curve: Learner" })).toBeVisible();
  await expectFine(page, `the page about the checks at ${PHONE.width}`);
});

/** Stored results of three flagged posts, one of them approved, and of two that are nearly flagged. */
async function addResults({ databaseUrl, call }: AdminInstallation): Promise<void> {
  const posts = await query<{ id: number }>(databaseUrl, "SELECT id FROM post ORDER BY id LIMIT 5");
  const ids = posts.map((post) => post.id);
  await expect.poll(() => query(databaseUrl, "SELECT FROM post WHERE classified_at IS NULL")).toHaveLength(0);
  await query(databaseUrl, "DELETE FROM post_check");
  await query(
    databaseUrl,
    `INSERT INTO post_check (post_id, rules)
     SELECT id, '[{"name": "many_hashtags", "reason": "Many hashtags."}]'::jsonb
            || CASE WHEN place <= 3 THEN '[{"name": "several_links", "reason": "Links."}]'::jsonb ELSE '[]' END
       FROM unnest($1::int[]) WITH ORDINALITY AS p (id, place)`,
    [ids],
  );
  await call("POST", `/posts/${ids[0]}/review`, { approved: true });
}

test(`a threshold and a weight show their effect before they are saved, with the keyboard`, async ({
  page,
  installation,
}) => {
  const { call, databaseUrl } = installation;
  await page.setViewportSize(PHONE);
  await query(databaseUrl, "DELETE FROM check_setting");
  await query(databaseUrl, "DELETE FROM classify_rule");
  await addResults(installation);
  await installation.open(page, "/settings/checks");
  const panel = panelOf(page, "Checks");
  const threshold = panel.getByLabel("Threshold in %: Text rules");
  await expect(threshold).toHaveValue("");
  // The page may not be interactive yet.
  await expect(async () => {
    await threshold.fill("0");
    await expect(panel.getByText("A number from 1 to 100, or empty for the default")).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  await threshold.fill("60");
  await expect(
    panel.getByText(
      "5 of last month's 5 posts would have been flagged, 1 of them you approved. At present 3 are flagged.",
    ),
  ).toBeVisible();
  await expectFine(page, `the settings of the checks at ${PHONE.width}`);
  await panel.getByRole("button", { name: "Save: Text rules" }).focus();
  await page.keyboard.press("Enter");
  await expect(toastMessage(page, "Saved. Stored posts are being judged again.")).toBeVisible();
  await page.reload();
  await expect(threshold).toHaveValue("60");
  const { json } = await call<{ checks: { name: string; threshold: number }[] }>("GET", "/checks/settings");
  expect(json.checks.find((check) => check.name === "rules")?.threshold).toBeCloseTo(0.6, 6);

  const rules = panelOf(page, "Text rules");
  const weight = rules.getByLabel("Weight of: The post carries 20 hashtags or more.");
  await weight.fill("10");
  await expect(rules.getByText("0 of last month's 5 posts would have been flagged")).toBeVisible();
  await rules.getByRole("button", { name: /^Cancel:/ }).focus();
  await page.keyboard.press("Enter");
  await expect(weight).toHaveValue("60");
});

test("a check that stopped itself is named at home and in the settings, and can vote again", async ({
  page,
  installation,
}) => {
  const { databaseUrl } = installation;
  const why = "Reviewers approved 35 of the last 40 posts that it advised to reject.";
  await query(
    databaseUrl,
    `INSERT INTO check_setting (name, stopped_at, stopped_why) VALUES ('rules', now(), $1)
     ON CONFLICT (name) DO UPDATE SET stopped_at = now(), stopped_why = $1`,
    [why],
  );
  await addDecisionLog(databaseUrl, 3).catch(() => undefined);
  await installation.open(page, "/");
  const row = page.getByRole("listitem").filter({ hasText: "Text rules: stopped voting" });
  await expect(row).toContainText(why);
  await row.getByRole("link", { name: "Open checks" }).click();
  const panel = panelOf(page, "Checks");
  await expect(panel.getByRole("switch", { name: "Votes: Text rules" })).not.toBeChecked();
  await installation.open(page, "/statistics/checks");
  await expect(page.getByText(`The check “Text rules” does not vote any more. ${why}`)).toBeVisible();
  const [post] = await query<{ id: number }>(
    databaseUrl,
    "SELECT id FROM post WHERE classified_at IS NOT NULL LIMIT 1",
  );
  await installation.open(page, `/posts/${post?.id ?? 0}`);
  await expect(page.locator('[data-check="rules"]')).toContainText(`Stopped voting by itself. ${why}`);
  await installation.open(page, "/settings/checks");
  await expect(panel.getByText(why)).toBeVisible();
  await panel.getByRole("button", { name: "Let it vote again" }).focus();
  await page.keyboard.press("Enter");
  await expect(panel.getByText(why)).toHaveCount(0);
  await expect(panel.getByRole("switch", { name: "Votes: Text rules" })).toBeChecked();
  await installation.open(page, "/");
  await expect(page.getByText("Text rules: stopped voting")).toHaveCount(0);
});
