import { expect } from "@playwright/test";
import { probePort } from "#lib/runtime/ports.ts";
import { installationTest } from "#tests/setup/browser-test.ts";
import { startWithAdmin, ADMIN, HASHTAGS } from "#tests/setup/installation.ts";
import { startMailServer } from "#tests/setup/mail-server.ts";

/* An installation with a mail server: a forgotten password. */

const test = installationTest(async () => {
  const mail = await startMailServer();
  const port = await probePort("127.0.0.1", 0);
  const settings = {
    SMTP_URL: mail.url,
    SMTP_FROM: "Sluice <sluice@example.org>",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  const installation = await startWithAdmin({ posts: 0, hashtags: HASHTAGS, settings }, () =>
    Promise.resolve({ mail }),
  );
  return {
    ...installation,
    stop: async () => {
      await installation.stop();
      await mail.close();
    },
  };
});

test("a forgotten password is set by a mailed link", async ({ page, installation }) => {
  const { app, mail } = installation;
  await page.goto(`${app.url}/sign-in`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  // The page of sign-in has a field of the same name.
  await expect(page).toHaveURL(/\/forgot$/);
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Look into your mailbox" })).toBeVisible();
  await expect.poll(() => mail.mails.length, { timeout: 20_000 }).toBe(1);
  const [link = ""] = /http:\S+\/reset\?token=\S+/.exec(mail.mails[0]?.text ?? "") ?? [];
  await page.goto(app.url + new URL(link).pathname + new URL(link).search);
  await page.getByLabel("New password").fill("seven herons on the weir");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(`${app.url}/`);
});
