import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { answerNormally, asksQuestion, startRemoteProvider } from "#tests/setup/remote-provider.ts";

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
  const { streamId, call } = installation;
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

  await test.step("new posts are asked about", async () => {
    const { json } = await call<{ new: number }>("POST", `/streams/${streamId}/fetch`);
    expect(json.new).toBeGreaterThan(0);
    await expect
      .poll(() => provider.requests.filter(asksQuestion).length, { timeout: 30_000 })
      .toBe(json.new);
    const [first] = provider.requests.filter(asksQuestion);
    expect(JSON.stringify(first?.body)).toContain(QUESTION);
  });

  await test.step("the answer is one of a post's checks, and the moderation is not", async () => {
    const { json } = await call<{ items: { id: number }[] }>("GET", "/posts?limit=10");
    const shown = async () => {
      const scores = json.items.map(({ id }) =>
        call<{ checks: { name: string }[] }>("GET", `/posts/${id}/score`),
      );
      return (await Promise.all(scores)).flatMap((score) => score.json.checks.map(({ name }) => name));
    };
    await expect.poll(shown).toContain("question");
    expect(await shown()).not.toContain("remote_moderation");
  });

  await test.step("a failing provider is shown, and its key is not", async () => {
    provider.answer((request) =>
      asksQuestion(request) ? { status: 401, body: KEY } : answerNormally(request),
    );
    await call("PATCH", `/streams/${streamId}`, { check_question: "Is this a dog?" });
    await installation.open(page, "/settings/checks");
    await expect
      .poll(async () => {
        await page.reload();
        return providers.getByText(`${provider.host} answered 401: it refuses the key.`).count();
      })
      .toBe(1);
    expect(await page.content()).not.toContain(KEY);
  });
});
