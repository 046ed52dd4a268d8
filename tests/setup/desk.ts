import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import type { Log } from "#lib/review/log-schema.ts";
import type { PostKind, SimPost } from "#tests/simulated-server/server.ts";
import { apiCaller, createSession, sessionCookies, type ApiCaller } from "./api-client.ts";
import { installationTest, waitAfterLoads } from "./browser-test.ts";
import { query } from "./database.ts";
import { ADMIN, startWithAdmin, storeMember, type AdminInstallation } from "./installation.ts";

/* The installation that most browser tests of a worker share. */

/** `kind` is the simulated server's, "text" by default. */
export type PostInput = Partial<SimPost> & { kind?: PostKind };

export type StoredPost = {
  id: number;
  approved: boolean | null;
  reviewer_notes: string | null;
  media_attachments: unknown[];
};

export type DeskPosts = {
  streamId: number;
  path: string;
  /** In the order of the input, oldest first. */
  posts: StoredPost[];
  sources: SimPost[];
};

export type DeskInstallation = AdminInstallation & {
  /** Adds posts, one minute apart; the first is three hours old. */
  addPosts: (inputs: readonly PostInput[]) => Promise<DeskPosts>;
  stored: (post: StoredPost | undefined) => Promise<StoredPost>;
  approvedOf: (post: StoredPost | undefined) => Promise<boolean | null>;
  setPreferences: (preferences: Record<string, unknown>) => Promise<void>;
  /** A boost bot that gets posts of this stream only, whatever other tests have approved. */
  consumerOf: (streamId: number) => Promise<ApiCaller>;
};

/** Without picture classifiers. */
function startDeskInstallation(): Promise<DeskInstallation> {
  return startWithAdmin(
    {
      hashtags: ["desk"],
      posts: 0,
      settings: { AI_VISION: "off" },
      logFile: path.resolve("test-results", `application-${process.env.TEST_PARALLEL_INDEX}.log`),
    },
    ({ app, call, remote, databaseUrl }) => {
      const consumerOf = async (streamId: number) => {
        const { json } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
          scopes: ["consume"],
          stream_ids: [streamId],
        });
        return apiCaller(app.url, { "x-api-key": json.api_key });
      };
      const setPreferences = async (preferences: Record<string, unknown>) => {
        await query(
          databaseUrl,
          "UPDATE member SET preferences = jsonb_strip_nulls(preferences || $1) WHERE email = $2",
          [JSON.stringify(preferences), ADMIN.email],
        );
      };
      let streams = 0;
      const addPosts = async (inputs: readonly PostInput[]): Promise<DeskPosts> => {
        const hashtag = `desk${++streams}`;
        const firstAt = Date.now() - 3 * 3_600_000;
        const sources = inputs.map(({ kind, ...post }, index) =>
          remote.control.addPost(
            { created_at: new Date(firstAt + index * 60_000), hashtags: [hashtag], ...post },
            kind,
          ),
        );
        const { json: stream } = await call<{ id: number }>("POST", "/streams", {
          hashtag,
          instance: remote.host,
          enable_scheduling: false,
        });
        await call("POST", `/streams/${stream.id}/fetch`);
        const { json: list } = await call<{ items: StoredPost[] }>(
          "GET",
          `/posts?stream_id=${stream.id}&order=oldest&limit=100`,
        );
        return { streamId: stream.id, path: `/review?stream_id=${stream.id}`, posts: list.items, sources };
      };
      const stored = async (post: StoredPost | undefined) =>
        (await call<StoredPost>("GET", `/posts/${post?.id}`)).json;
      const approvedOf = async (post: StoredPost | undefined) => (await stored(post)).approved;
      return Promise.resolve({ addPosts, stored, approvedOf, setPreferences, consumerOf });
    },
  );
}

/** Each test adds posts in a stream of its own, and begins with default preferences. */
export const test = installationTest(startDeskInstallation).extend<{ desk: DeskInstallation }>({
  desk: async ({ installation }, use) => {
    await query(installation.databaseUrl, `UPDATE member SET preferences = '{}'`);
    await use(installation);
  },
});

export const textPost = (text: string): PostInput => ({ paragraphs: [text] });

let authors = 0;

/** An author without other posts. */
export function newAuthor({ remote }: DeskInstallation, username: string): SimPost["author"] {
  const [model] = remote.control.people;
  if (model === undefined) throw new Error("the simulated server has no people");
  return { ...model, id: `9${Date.now()}${++authors}`, username, display_name: username };
}

/** The same posts on the page Posts, as a list. */
export const listOf = (path: string) => path.replace("/review?", "/posts?reviewed=false&order=oldest&");

export const topCard = (page: Page) => page.locator('[data-place="top"]');

export async function expectTopCard(page: Page, post: StoredPost | undefined): Promise<void> {
  await expect(topCard(page)).toHaveAttribute("data-card", String(post?.id));
}

export const announcement = (page: Page) => page.locator("[role=status][data-said]");

/** Another member, signed in with a browser of their own. */
export async function addMember(browser: Browser, { app, databaseUrl }: DeskInstallation) {
  const account = { email: `${randomUUID()}@desk.example`, password: "the light on the water" };
  const name = `Bela ${account.email.slice(0, 4)}`;
  const id = await storeMember(databaseUrl, { ...account, name, role: "reviewer" });
  const context = await browser.newContext({ baseURL: app.url, reducedMotion: "reduce" });
  await context.addCookies(
    sessionCookies(await createSession(app.url, account.email, account.password), app.url),
  );
  return { ...account, id, name, context, page: await newPage(context) };
}

export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  waitAfterLoads(page);
  return page;
}

export interface LoggedDecision {
  post_id: number;
  action: string;
}

export function topCardId(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const id = document.querySelector('[data-place="top"]')?.getAttribute("data-card");
    return id == null ? null : Number(id);
  });
}

export function outboxState(page: Page): Promise<{ status: string | null; waiting: number }> {
  return page.evaluate(() => {
    const shown = document.querySelector("[data-outbox]");
    return {
      status: shown?.getAttribute("data-outbox") ?? null,
      waiting: Number(shown?.getAttribute("data-waiting")),
    };
  });
}

export async function decisionLog(call: ApiCaller): Promise<LoggedDecision[]> {
  const decisions: LoggedDecision[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const path: string = `/audit?source=screen&limit=1000${cursor}`;
    const { json }: { json: Log } = await call<Log>("GET", path);
    for (const { post_id, action } of json.items) if (post_id !== null) decisions.push({ post_id, action });
    cursor = json.next_cursor === null ? null : `&cursor=${json.next_cursor}`;
  }
  return decisions.reverse();
}
