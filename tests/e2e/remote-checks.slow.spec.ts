import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { startRemoteProvider } from "#tests/setup/remote-provider.ts";

const KEY = "sk-journey-hush";
const QUESTION = "Is this a photo of a real cat?";

const provider = await startRemoteProvider();

const test = signedInTest(() =>
  startWithAdmin(
    {
      posts: 4,
      hashtags: ["cats"],
      settings: {
        AI_PROVIDER: "openai-moderation,openai-compatible",
        OPENAI_BASE_URL: `${provider.origin}/v1`,
        OPENAI_API_KEY: KEY,
        OPENAI_MODEL: "tiny-model",
      },
    },
    async ({ call, remote }) => {
      const { json } = await call<{ id: number }>("POST", "/streams", {
        hashtag: "cats",
        instance: remote.host,
        enable_scheduling: false,
      });
      return { streamId: json.id };
    },
  ),
);
test.afterAll(() => provider.close());

test("an admin asks a question about a stream's posts, and the settings name what is sent where", async ({
  page,
  installation,
}) => {
  const { streamId } = installation;
  await installation.open(page, "/settings/checks");
  const providers = panelOf(page, "Remote providers");
  await expect(
    providers.getByText(`Text and up to four pictures of each new post are sent to ${provider.host}.`),
  ).toBeVisible();
  await expect(providers.getByText("0 of 1,000")).toHaveCount(2);
  await expect(providers.getByText("Ready")).toHaveCount(2);

  await installation.open(page, `/streams/${streamId}`);
  const settings = panelOf(page, "Settings");
  const question = settings.getByLabel(/Question about each post/);
  await question.fill(`  ${QUESTION}\n`);
  await settings.getByLabel(/advises rejection/).check();
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(toastMessage(page, "Saved")).toBeVisible();
  await page.reload();
  await expect(question).toHaveValue(QUESTION);
  await expect(settings.getByLabel(/advises rejection/)).toBeChecked();
});
