import { expect, installationTest, panelOf } from "#tests/setup/browser-test.ts";
import { checkPages, listPages } from "#tests/setup/page-checks.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";

const test = installationTest(() => startWithAdmin({ posts: 0, hashtags: [] }, () => Promise.resolve({})));
test.use({ trace: "off" });

test("every page without any data passes axe in both themes, wide and narrow", async ({
  browser,
  installation,
}) => {
  test.setTimeout(300_000);
  const pages = listPages({});
  expect(pages.map((each) => each.path)).toEqual(
    expect.arrayContaining(["/", "/review", "/queue", "/streams", "/statistics"]),
  );
  await checkPages(browser, installation, pages);
});

test("an empty installation offers a stream and a key, then the next fetch", async ({
  page,
  installation,
}) => {
  const { open, call } = installation;
  await open(page, "/");
  const first = panelOf(page, "First steps").locator("[aria-current=step]");
  await expect(first.getByRole("link", { name: "Add stream" })).toHaveAttribute("href", "/streams?add=1");
  await open(page, "/review");
  await expect(page.getByRole("main").getByText(/^No posts come in/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Open streams" })).toBeVisible();
  await open(page, "/settings/keys");
  await expect(page.getByRole("main").getByRole("button", { name: "Generate key" })).toBeVisible();

  const { host } = installation.remote;
  const { json } = await call<{ id: number }>("POST", "/streams", { hashtag: "quiet", instance: host });
  // The worker may be fetching the new stream at this moment.
  await expect(async () => {
    await call("POST", `/streams/${json.id}/fetch`);
  }).toPass();
  await open(page, "/review");
  await expect(page.getByRole("main").getByText(/Next fetch/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: "Fetch now" })).toBeVisible();
});
