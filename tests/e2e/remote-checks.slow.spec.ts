import { expect, panelOf, installationTest, toastMessage } from "#tests/setup/browser-test.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { startRemoteProvider } from "#tests/setup/remote-provider.ts";

const provider = await startRemoteProvider();

const test = installationTest(() =>
  startWithAdmin(
    {
      posts: 4,
      hashtags: ["cats"],
      settings: {
        AI_VISION: "off",
        AI_BASE_URL: `${provider.origin}/v1`,
        AI_API_KEY: "sk-journey-hush",
        AI_MODEL: "tiny-model",
      },
    },
    () => Promise.resolve({}),
  ),
);
test.afterAll(() => provider.close());

test("the settings name what is sent where, and save thresholds, votes and rules", async ({
  page,
  installation,
}) => {
  await installation.open(page, "/settings/checks");
  const checks = panelOf(page, "Checks");
  await expect(checks).toContainText(
    `Text and up to four pictures of each new post are sent to ${provider.host}.`,
  );
  await expect(checks).toContainText("0 of 1,000 calls today");
  await expect(checks).toContainText("Not set up: Pictures (AI_VISION is off");
  await expect(checks.locator('[data-check="learner"]')).toHaveText(
    "Needs 30 more approvals and 30 more rejections to start",
  );
  await expectAccessible(page, "settings of the checks");

  const threshold = checks.getByRole("group", { name: "Text rules" }).getByLabel("Threshold in %");
  const votes = checks.getByRole("group", { name: "Chat model" }).getByRole("checkbox", { name: "Votes" });
  await checks.getByText("Rules: 8 on").click();
  await checks.getByRole("checkbox", { name: "The post carries 20 hashtags or more." }).uncheck();
  await votes.check();
  await threshold.fill("180");
  await page.keyboard.press("Enter");
  await expect(checks.getByText("A threshold is a number from 1 to 100, or empty.")).toBeVisible();
  await threshold.fill("80");
  await page.keyboard.press("Enter");
  await expect(toastMessage(page, "Saved. Stored posts are being judged again.")).toBeVisible();
  await expect(checks.getByText("Rules: 7 on")).toBeVisible();
  await page.reload();
  await expect(threshold).toHaveValue("80");
  await expect(votes).toBeChecked();
  await expect(checks.getByText("Rules: 7 on")).toBeVisible();
});
