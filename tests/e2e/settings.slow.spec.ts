import type { Browser, Page } from "@playwright/test";
import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { readCurl } from "#tests/setup/curl-lines.ts";
import { expect, panelOf, test, toastMessage } from "#tests/setup/browser-test.ts";

const REVIEWER = { name: "Noor Idrissi", email: "noor@settings.example", password: "slow water over stones" };
const NEW_PASSWORD = "stones under slow water";

async function otherBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce" })).newPage();
}

test("a new key works with the shown curl line and programs; a revoked one is refused", async ({
  adminPage,
}) => {
  await adminPage.goto("/settings/keys?generate=1");
  const form = adminPage.getByRole("dialog", { name: "Generate an API key" });
  await form.getByLabel("Name").fill("Journey bot");
  await form.getByRole("checkbox", { name: /^Read/ }).check();
  await form.getByRole("checkbox", { name: /^Review/ }).check();
  await form.getByRole("button", { name: "Generate key" }).click();
  await expect(adminPage).toHaveURL(/\/settings\/keys$/);

  const made = adminPage.getByRole("region", { name: "Journey bot is ready" });
  const key = await made.getByLabel("API key", { exact: true }).inputValue();
  const shown = await made.locator("figure", { hasText: "curl" }).locator("code").innerText();
  const variables = Object.fromEntries(
    [...shown.matchAll(/^(API|KEY)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  expect(variables.KEY).toBe(key);
  const run = async (part: string) => {
    const line = shown.split("\n").find((each) => each.startsWith("curl") && each.includes(part)) ?? "";
    const { url, ...request } = readCurl(line.replace("curl -i", "curl"), variables);
    return fetch(url, request);
  };
  expect([200, 204]).toContain((await run("/curated/next")).status);
  const listed = await run("/posts?limit=5");
  expect(listed.status).toBe(200);
  expect(await listed.json()).toMatchObject({ limit: 5 });

  for (const [language, file] of [
    ["TypeScript", "consumer.ts"],
    ["Python", "consumer.py"],
  ] as const) {
    await made.getByRole("tab", { name: language }).click();
    await expect(made.getByText(`SLUICE_KEY=${key}`)).toContainText(file);
    await expect(made.getByRole("tabpanel").locator("code").last()).toContainText("/curated/next");
  }

  await made.getByRole("button", { name: "I have stored it" }).click();
  await expect(adminPage.getByText(key)).toHaveCount(0);
  const row = adminPage.getByRole("row").filter({ hasText: "Journey bot" });
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await adminPage.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(row).toHaveCount(0);
  expect((await run("/posts?limit=5")).status).toBe(401);
  expect((await run("/curated/next")).status).toBe(401);
});

test("an invited member joins, chooses theme and time zone, and changes the password", async ({
  adminPage,
  browser,
  baseURL,
}) => {
  const link = await test.step("an admin makes the link", async () => {
    await adminPage.goto("/settings/members?invite=1");
    const form = adminPage.getByRole("dialog", { name: "Invite a member" });
    await form.getByLabel("E-mail").fill(REVIEWER.email);
    await form.getByRole("button", { name: "Create link" }).click();
    const made = adminPage.getByRole("dialog", { name: `Invitation for ${REVIEWER.email}` });
    const url = await made.getByLabel("Link").inputValue();
    await made.getByRole("button", { name: "Done" }).click();
    return url;
  });

  const theirs = await otherBrowser(browser, baseURL);
  await test.step("it works once, and leads to the desk as a reviewer", async () => {
    await theirs.goto(link);
    await theirs.getByLabel("Name").fill(REVIEWER.name);
    await theirs.getByLabel("Password").fill(REVIEWER.password);
    await theirs.getByRole("button", { name: "Accept invitation" }).click();
    await expect(theirs.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await theirs.goto("/settings");
    const parts = theirs.getByRole("navigation", { name: "Sections of the settings" });
    await expect(parts.getByRole("link", { name: "Keys" })).toBeVisible();
    await expect(parts.getByRole("link", { name: "Members" })).toHaveCount(0);
    await expect(parts.getByRole("link", { name: "Installation" })).toHaveCount(0);
    await theirs.goto(link);
    await expect(theirs.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();
  });

  await test.step("theme and time zone are chosen", async () => {
    await theirs.goto("/settings");
    await theirs.getByRole("radio", { name: "Dark" }).check();
    await expect(theirs.locator("html")).toHaveAttribute("data-theme", "dark");
    await theirs.getByLabel("Time zone").selectOption({ label: "Tokyo" });
    await theirs.getByRole("button", { name: "Save", exact: true }).first().click();
    await expect(toastMessage(theirs, "Saved")).toBeVisible();
  });

  await test.step("a wrong password changes nothing, the right one does", async () => {
    await theirs.goto("/settings");
    await theirs.getByLabel("Current password").fill("not this one at all");
    await theirs.getByLabel("New password").fill(NEW_PASSWORD);
    await theirs.getByRole("button", { name: "Change password" }).click();
    await expect(theirs.getByText("The current password is not right")).toBeVisible();
    await theirs.getByLabel("Current password").fill(REVIEWER.password);
    await theirs.getByRole("button", { name: "Change password" }).click();
    await expect(toastMessage(theirs, "Password changed")).toBeVisible();
  });

  await theirs.context().close();
});

test("the audit log can be filtered", async ({ adminPage, admin }) => {
  await admin.post("/api/v1/members/links", { email: "one@audit.example", role: "viewer" });
  await admin.post("/api/v1/topical-tags", { hashtag: "auditday", topical_day_of_week: "Friday" });
  await adminPage.goto("/settings/audit");
  const lines = adminPage.getByRole("table", { name: "Audit log" }).getByRole("row");
  await expect(lines.filter({ hasText: "auditday" })).toBeVisible();
  await adminPage.getByLabel("About").selectOption({ label: "Members" });
  await expect(adminPage).toHaveURL(/action=member/);
  await expect(lines.filter({ hasText: "one@audit.example" })).toBeVisible();
  await expect(lines.filter({ hasText: "auditday" })).toHaveCount(0);

  await adminPage.getByLabel("By", { exact: true }).fill("nobody of this name");
  await adminPage.getByRole("button", { name: "Show" }).click();
  await expect(adminPage.getByText("Nothing matches", { exact: true })).toBeVisible();
  await adminPage.getByRole("link", { name: "Clear filters" }).first().click();
  await expect(lines.filter({ hasText: "auditday" })).toBeVisible();
});

test("days of retention show how many posts they would delete before they are saved", async ({
  adminPage,
  admin,
  baseURL,
}) => {
  const url = baseURL ?? "";
  const api = throwOnError(apiCaller(url, { cookie: admin.cookie, origin: url }));
  await api("PUT", "/retention", { rejected_days: 90 });
  await adminPage.goto("/settings/installation");
  const panel = panelOf(adminPage, "How long posts and history are kept");
  const rejected = panel.getByLabel("Rejected posts");
  await expect(rejected).toHaveValue("90");
  await expect(panel.getByLabel("Failed posts")).toHaveValue("");
  await expect(panel.getByText("Kept for ever. Deletes nothing.")).toHaveCount(3);
  await rejected.fill("0");
  await expect(panel.getByText("A whole number from 1 to 36500, or empty")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Save" })).toBeDisabled();

  await panel.getByLabel("Posts without a decision").fill("30");
  await rejected.fill("60");
  await expect(panel.getByText(/^Would delete \d+ posts? now\.$/)).toHaveCount(2);
  expect((await api("GET", "/retention")).json).toMatchObject({ rejected_days: 90, unreviewed_days: null });
  await rejected.press("Enter");
  await expect(toastMessage(adminPage, "Saved. The next daily cleanup applies it.")).toBeVisible();
  expect((await api("GET", "/retention")).json).toMatchObject({ rejected_days: 60, unreviewed_days: 30 });
  await adminPage.reload();
  await expect(rejected).toHaveValue("60");
  await api("PUT", "/retention", { rejected_days: 90, unreviewed_days: null });
});
