import {
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from "@playwright/test";
import type { ReviewLog } from "#lib/review/log-schema.ts";
import type { PostKind, SimPost } from "#tests/simulated-server/server.ts";
import { apiCaller, sessionCookies, throwOnError, type ApiCaller, type Session } from "./api-client.ts";
import { untilChecked } from "./checked-posts.ts";
import { collectConsoleErrors, installationTest } from "./browser-test.ts";
import { query } from "./database.ts";
import { startWithAdmin, type AdminInstallation, type Installation } from "./installation.ts";

/* Tests of the review desk. */

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

/** Starts one without the hint for first-time visitors and without picture classifiers. */
function startDeskInstallation(): Promise<DeskInstallation> {
  return startWithAdmin(
    { hashtags: ["desk"], posts: 0, settings: { AI_VISION: "off" } },
    async ({ app, call, remote, databaseUrl }) => {
      const consumerOf = async (streamId: number) => {
        const { json } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
          scopes: ["consume"],
          stream_ids: [streamId],
        });
        return apiCaller(app.url, { "x-api-key": json.api_key });
      };
      const setPreferences = async (preferences: Record<string, unknown>) => {
        await call("PATCH", "/profile", { preferences });
      };
      await setPreferences({ desk_hint_seen: true });
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
        await untilChecked(databaseUrl, stream.id);
        const { json: list } = await call<{ items: StoredPost[] }>(
          "GET",
          `/posts?stream_id=${stream.id}&order=oldest&limit=100`,
        );
        return { streamId: stream.id, path: `/review?stream_id=${stream.id}`, posts: list.items, sources };
      };
      const stored = async (post: StoredPost | undefined) =>
        (await call<StoredPost>("GET", `/posts/${post?.id}`)).json;
      const approvedOf = async (post: StoredPost | undefined) => (await stored(post)).approved;
      return { addPosts, stored, approvedOf, setPreferences, consumerOf };
    },
  );
}

/** Files share their worker's installation: each test adds posts in a stream of its own, and begins with default preferences. */
export const deskTest = installationTest(startDeskInstallation).extend<{ desk: DeskInstallation }>({
  desk: async ({ installation }, use) => {
    await query(installation.databaseUrl, `UPDATE member SET preferences = '{"desk_hint_seen": true}'`);
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

const HASHTAG = "photography";

export function startReviewInstallation({
  posts,
  seed,
}: {
  posts: number;
  seed: string;
}): Promise<AdminInstallation> {
  return startWithAdmin({ posts: 64, hashtags: [HASHTAG], seed }, async (installation) => {
    await addReviewPosts(installation, installation.call, HASHTAG, posts);
    return {};
  });
}

/**
 * Fetches the simulated server's posts and copies them until there are `count` unreviewed posts by as many
 * authors.
 */
export async function addReviewPosts(
  { databaseUrl, remote }: Installation,
  call: ApiCaller,
  hashtag: string,
  count: number,
): Promise<void> {
  const strict = throwOnError(call);
  const { json: stream } = await strict<{ id: number }>("POST", "/streams", {
    hashtag,
    instance: remote.host,
    enable_scheduling: false,
  });
  for (let end = false; !end;) {
    const { json } = await strict<{ cursor_at_end: boolean }>("POST", `/streams/${stream.id}/fetch`);
    end = json.cursor_at_end;
  }
  const changed = ["id", "uri", "url", "author_username", "author_account", "author_key", "created_at"];
  const rows = await query<{ name: string }>(
    databaseUrl,
    `SELECT quote_ident(attname) AS name FROM pg_attribute
      WHERE attrelid = 'post'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($1)`,
    [changed],
  );
  const copied = rows.map(({ name }) => name).join(", ");
  // Keeps the worker idle during measurements.
  await query(databaseUrl, "UPDATE post SET classified_at = now() WHERE classified_at IS NULL");
  await query(
    databaseUrl,
    `INSERT INTO post (uri, url, author_username, author_account, author_key, created_at, ${copied})
     SELECT uri || '/' || n, url || '/' || n, author_username || n, replace(author_account, author_username, author_username || n),
            replace(author_key, lower(author_username), lower(author_username) || n), created_at - n * interval '20 hours', ${copied}
       FROM post CROSS JOIN generate_series(1, 1000) n WHERE approved IS NULL
      ORDER BY n, id LIMIT $1::int - (SELECT count(*)::int FROM post WHERE approved IS NULL)`,
    [count],
  );
  await query(databaseUrl, "SELECT compact_figures()");
  await query(databaseUrl, "ANALYZE");
}

export async function signedInContext(
  browser: Browser,
  installation: Installation,
  session: Session,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addCookies(sessionCookies(session, installation.app.url));
  return context;
}

export async function openDeck(
  context: BrowserContext,
  installation: Installation,
): Promise<{ page: Page; consoleErrors: string[] }> {
  const page = await context.newPage();
  const consoleErrors = collectConsoleErrors(page);
  await page.goto(`${installation.app.url}/review`);
  await expect.poll(() => topCardId(page)).not.toBeNull();
  return { page, consoleErrors };
}

export interface LoggedDecision {
  post_id: number;
  action: string;
}

/**
 * The log entry a key should cause.
 *
 * @param next the card that an undo brings back
 */
export function decisionForKey(
  key: string,
  card: number,
  next: number | null,
  before: readonly LoggedDecision[],
): LoggedDecision {
  if (key === "z") {
    const last = before.findLast((decision) => decision.post_id === next);
    return { post_id: next ?? 0, action: last?.action === "skip" ? "unskip" : "unreview" };
  }
  return { post_id: card, action: key === "a" ? "approve" : key === "s" ? "skip" : "reject" };
}

/**
 * Presses a decision's key and waits for another card.
 *
 * @returns the expected log entry
 */
export async function pressKey(
  page: Page,
  key: string,
  before: readonly LoggedDecision[],
): Promise<LoggedDecision> {
  const card = await topCardId(page);
  if (card === null) throw new Error("There is no card to decide on");
  await page.keyboard.press(key);
  let next: number | null = card;
  await expect.poll(async () => (next = await topCardId(page)), { intervals: [10] }).not.toBe(card);
  return decisionForKey(key, card, next, before);
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

export async function decisionLog(call: ApiCaller, memberId?: number): Promise<LoggedDecision[]> {
  const decisions: LoggedDecision[] = [];
  const member = memberId === undefined ? "" : `&member_id=${memberId}`;
  let cursor: string | null = "";
  while (cursor !== null) {
    const path: string = `/review/log?source=screen&limit=1000${member}${cursor}`;
    const { json }: { json: ReviewLog } = await call<ReviewLog>("GET", path);
    for (const { post_id, action } of json.items) if (post_id !== null) decisions.push({ post_id, action });
    cursor = json.next_cursor === null ? null : `&cursor=${json.next_cursor}`;
  }
  return decisions.reverse();
}

export function compareWithLog(
  made: readonly LoggedDecision[],
  logged: readonly LoggedDecision[],
): { lost: number; doubled: number; misplaced: number } {
  const open = new Map<string, number>();
  for (const each of made) open.set(keyOf(each), (open.get(keyOf(each)) ?? 0) + 1);
  let doubled = 0;
  for (const each of logged) {
    const left = open.get(keyOf(each)) ?? 0;
    if (left > 0) open.set(keyOf(each), left - 1);
    else doubled += 1;
  }
  const lost = [...open.values()].reduce((sum, left) => sum + left, 0);
  const misplaced = made.filter((decision, i) => {
    const entry = logged[i];
    return entry === undefined || keyOf(entry) !== keyOf(decision);
  }).length;
  return { lost, doubled, misplaced };
}

function keyOf({ post_id, action }: LoggedDecision): string {
  return `${action} ${post_id}`;
}
