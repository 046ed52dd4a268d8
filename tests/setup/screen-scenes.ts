import type { Page } from "playwright";
import type { PostKind } from "#tests/simulated-server/server.ts";
import {
  addAdvised,
  addDesk,
  addSeller,
  decideSome,
  failingStream,
  type SceneInstallation,
} from "./scene-data.ts";

/* States of pages that an address alone does not show: dialogs, kinds of posts, results of a button. */

export interface Scene {
  name: string;
  /** The path; called once for each width, so that a scene may decide on its posts. */
  prepare: string | ((installation: SceneInstallation) => Promise<string>);
  act?: (page: Page, installation: SceneInstallation) => Promise<unknown>;
  signedOut?: boolean;
  /** In full height instead of the first screen. */
  whole?: boolean;
}

const deskKinds: readonly PostKind[] = [
  "picture",
  "pictures",
  "picture_without_alt",
  "content_warning",
  "sensitive",
  "video",
  "poll",
  "card",
  "quote",
  "reply",
  "custom_emoji",
  "long",
];

const dialog = (page: Page, timeout = 20_000) =>
  page.getByRole("dialog").or(page.getByRole("alertdialog")).first().waitFor({ timeout });

/** Acts until something is there: the page may not be interactive yet. */
async function repeat(
  act: () => Promise<unknown>,
  arrived: (timeout: number) => Promise<unknown>,
): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await act();
    const isThere = await arrived(2_000).then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
  throw new Error("Nothing happened.");
}

const press = (key: string) => (page: Page) =>
  repeat(
    () => page.keyboard.press(key),
    (timeout) => dialog(page, timeout),
  );

export const scenes: readonly Scene[] = [
  ...deskKinds.map((kind): Scene => ({
    name: `desk-${kind}`,
    prepare: (installation) => addDesk(installation, [kind, "text"]),
  })),
  { name: "desk-advice", prepare: addAdvised },
  { name: "desk-checks", prepare: addAdvised, act: press("k") },
  { name: "desk-author-posts", prepare: addSeller, act: press("m") },
  { name: "desk-block-author", prepare: addSeller, act: press("b") },
  { name: "desk-block-hashtag", prepare: addSeller, act: press("h") },
  {
    name: "desk-note",
    prepare: (installation) => addDesk(installation, ["picture"]),
    act: (page) => page.keyboard.press("n"),
  },
  { name: "desk-done", prepare: (installation) => addDesk(installation, []) },
  {
    name: "desk-history",
    prepare: decideSome,
    // On wide screens it is beside the card.
    act: async (page) => {
      const open = page.getByRole("button", { name: "Recent decisions" });
      if (await open.isVisible()) await open.click();
    },
  },
  { name: "desk-key-help", prepare: "/review", act: press("?") },
  {
    name: "grid-selection",
    prepare: async (installation) => `${await addDesk(installation, manyKinds)}&view=grid`,
    act: selectThree,
  },
  {
    name: "grid-question",
    prepare: async (installation) => `${await addDesk(installation, manyKinds)}&view=grid`,
    act: async (page) => {
      await page.getByRole("button", { name: /^Reject the \d+ shown/ }).click();
      await dialog(page);
    },
  },
  {
    name: "grid-preview",
    prepare: async (installation) => `${await addDesk(installation, manyKinds)}&view=grid`,
    act: async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("Space");
      await dialog(page);
    },
  },
  {
    name: "list-selection",
    prepare: async (installation) =>
      (await addDesk(installation, manyKinds)).replace("/review?", "/posts?reviewed=false&"),
    act: selectThree,
  },
  { name: "palette", prepare: "/", act: press("Control+k") },
  {
    name: "palette-found",
    prepare: "/",
    act: async (page) => {
      await press("Control+k")(page);
      await page.getByRole("combobox").fill("set");
    },
  },
  {
    name: "figure-help",
    prepare: "/statistics",
    act: async (page) => {
      await page
        .getByRole("button", { name: /^Definition/ })
        .first()
        .click();
      await dialog(page);
    },
  },
  { name: "statistics-tables", prepare: "/statistics", whole: true, act: openTables },
  { name: "streams-add", prepare: "/streams?add=1", act: (page) => dialog(page) },
  { name: "streams-failing", prepare: failingStream, whole: true },
  {
    name: "settings-keys-generate",
    prepare: "/settings/keys",
    act: async (page) => {
      await page.getByRole("button", { name: "Generate key" }).first().click();
      await dialog(page);
    },
  },
  {
    name: "settings-keys-new",
    prepare: "/settings/keys",
    whole: true,
    act: async (page) => {
      await page.getByRole("button", { name: "Generate key" }).first().click();
      await page.getByLabel("Name").fill("Night bot");
      await page.getByRole("dialog").getByRole("button", { name: "Generate key" }).click();
      await page
        .getByText(/is ready$/)
        .first()
        .waitFor();
    },
  },
  {
    name: "settings-members-invite",
    prepare: "/settings/members",
    act: async (page) => {
      await page
        .getByRole("button", { name: /^Invite/ })
        .first()
        .click();
      await dialog(page);
    },
  },
  { name: "docs", prepare: "/docs", whole: true },
  { name: "docs-queue", prepare: "/docs/queue", whole: true },
  { name: "not-found", prepare: "/nowhere" },
  {
    name: "sign-in-refused",
    prepare: "/sign-in",
    signedOut: true,
    act: async (page) => {
      await page.getByLabel("E-mail").fill("nobody@journeys.example");
      await page.getByLabel("Password", { exact: true }).fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor();
    },
  },
  {
    name: "invitation-open",
    signedOut: true,
    prepare: async ({ call }) => {
      const email = `guest${Date.now()}@journeys.example`;
      const { json } = await call<{ url: string }>("POST", "/members/links", { email, role: "viewer" });
      const { pathname, search } = new URL(json.url);
      return pathname + search;
    },
  },
];

const manyKinds: readonly PostKind[] = [...deskKinds, "text", "bot", "picture", "picture"];

async function selectThree(page: Page): Promise<void> {
  for (const key of ["j", "x", "j", "x", "j", "x", "j"]) await page.keyboard.press(key);
}

async function openTables(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("details")) each.open = true;
  });
}
