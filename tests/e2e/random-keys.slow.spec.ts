import type { Page, Route } from "@playwright/test";
import type { Action, ActionKindName, ActionList, UndoResult } from "#lib/actions/schema.ts";
import type { ChecksSettings } from "#lib/checks/settings/schema.ts";
import type { ClassifyRules } from "#lib/checks/rules/schema.ts";
import { settingNames } from "#lib/streams/settings-schema.ts";
import { throwOnError } from "#tests/setup/api-client.ts";
import { expect, signedInTest } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { startWithSampleData, type SampleInstallation } from "#tests/setup/installation.ts";

/*
 * An administrator presses random keys on pages that change posts and settings; the history then undoes all of it.
 * Runs are equal; FUZZ_SEED=n makes another one.
 */

const KEYS = 2000;
/** Keys on one page before the next. */
const ON_PAGE = 40;
const seed = Number(process.env.FUZZ_SEED ?? 1);

const desk = "/review?reviewed=false";
const places = [
  "/",
  desk,
  `${desk}&view=grid`,
  "/posts",
  "/posts?view=list",
  "/blocking",
  "/queue",
  "/settings",
  "/settings/installation",
  "/settings/checks",
];

const letters = [..."aaarrrsssznecbhtkmjxgp?0123456789"];
const named = [
  "Enter",
  "Enter",
  "Space",
  "Escape",
  "Tab",
  "Shift+Tab",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Shift+Z",
  "Control+z",
  "Control+k",
  "Delete",
];
/** As many presses of Tab as lead to a control anywhere on the page. */
const TABS = "tabs";
const pool = [...letters, ...named, ...Array.from({ length: 8 }, () => TABS)];

/** Requests that change something outside the history, by the path below /api. */
const refused = [
  // Ends the run.
  /^\/auth\//,
  // The person's own preferences, such as the keys themselves, and sessions.
  /^\/v1\/profile/,
  // Secrets and members: shown once, or revoked for good, each after a question.
  /^\/v1\/(members|api-keys|hosts)/,
  // Without undo by law, each after a count and a second press (tests/integration/history/actions-table.test.ts).
  /^\/v1\/(retention|curated\/(cleanup|trim-pending))/,
];
const deleted = /^\/v1\/(posts|streams)\/\d+$/;
/** Deletes the author's posts (tests/integration/consent/opt-outs-confirmed.test.ts). */
const isConfirmation = (path: string, body: string | null) =>
  path.startsWith("/v1/opt-outs/") && (body?.includes('"confirmed"') ?? false);

/** The keys must reach at least one kind of each line. */
const reached: ActionKindName[][] = [["decision"], ["batch", "note"], ["settings", "block", "unblock"]];

const test = signedInTest(startWithSampleData);
test.setTimeout(900_000);

/** Uniform in [0, 1); mulberry32. */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const tables = {
  posts: `SELECT id, approved, reviewed_at::text, reviewed_by, approved_at::text, reviewer_notes, manual_spam_score
            FROM post ORDER BY id`,
  // Of the reasons to hold a post, those that a member sets.
  entries: `SELECT post_id, state, approved_at::text, error_reason, deliveries, refusals, holds & 35 AS holds
              FROM queue_entry ORDER BY post_id`,
  users: "SELECT id, account_identifier, pattern_type, notes FROM blocked_user ORDER BY id",
  hashtags: "SELECT id, hashtag, notes FROM blocked_hashtag ORDER BY id",
  reports: "SELECT author_key, resolution FROM reported_opt_out ORDER BY author_key",
  switches: "SELECT to_jsonb(s) - 'updated_at' AS settings FROM export_setting s",
  checks: "SELECT name, enabled, votes, threshold, shown FROM check_setting ORDER BY name",
  rules: "SELECT to_jsonb(r) - 'updated_at' AS rule FROM classify_rule r ORDER BY name",
  words: "SELECT id, stream_id, word FROM classify_word ORDER BY id",
  streams: `SELECT id, ${settingNames.join(", ")} FROM stream ORDER BY id`,
};

async function stateOf(databaseUrl: string): Promise<Record<string, unknown[]>> {
  const all = Object.entries(tables).map(
    async ([name, sql]) => [name, await query(databaseUrl, sql)] as const,
  );
  return Object.fromEntries(await Promise.all(all));
}

/** Presses one key. */
async function press(page: Page, key: string, random: () => number): Promise<void> {
  if (key !== TABS) return page.keyboard.press(key);
  await page.evaluate((share) => {
    const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
    const inside = [...dialogs].at(-1) ?? document.querySelector("main") ?? document.body;
    const controls = inside.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, [tabindex='0']",
    );
    controls[Math.floor(share * controls.length)]?.focus();
  }, random());
}

/** @returns how often each request that changes something was made */
async function watchRequests(page: Page): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  const note = (text: string) => made.set(text, (made.get(text) ?? 0) + 1);
  await page.route(/\/api\//, (route: Route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace(/^\/api/, "");
    const method = request.method();
    if (method === "GET" || method === "HEAD") return route.continue();
    const isRefused =
      refused.some((each) => each.test(path)) ||
      (method === "DELETE" && deleted.test(path)) ||
      isConfirmation(path, request.postData());
    note(
      `${isRefused ? "refused " : ""}${method} ${path.replaceAll(/[0-9a-f-]{36}|(?<=\/)(?:\d+|(?:@|%40)[^/]+)/g, "*")}`,
    );
    return isRefused ? route.abort() : route.continue();
  });
  return made;
}

const ask = <T>(page: Page, path: string, method = "GET", body?: object): Promise<T> =>
  page.evaluate(
    async ([to, verb, text]) => {
      const headers = { "Content-Type": "application/json" };
      const init = text === undefined ? { method: verb } : { method: verb, headers, body: text };
      return (await fetch(`/api/v1${to}`, init)).json() as Promise<unknown>;
    },
    [path, method, body === undefined ? undefined : JSON.stringify(body)] as const,
  ) as Promise<T>;

async function allActions(page: Page): Promise<Action[]> {
  const found: Action[] = [];
  for (let cursor = ""; ;) {
    const { items, next_cursor } = await ask<ActionList>(page, `/actions?limit=100${cursor}`);
    found.push(...items);
    if (next_cursor === null) return found;
    cursor = `&cursor=${next_cursor}`;
  }
}

/** Newest first. @returns the results of those that could not be restored in full */
async function undoEverything(page: Page, actions: readonly Action[]): Promise<UndoResult[]> {
  const left: UndoResult[] = [];
  for (const action of actions.filter(({ undone_at }) => undone_at === null)) {
    const result = await ask<UndoResult>(page, `/actions/${action.id}/undo`, "POST");
    if (result.restored !== action.changed) {
      left.push(result);
      console.log("not restored", JSON.stringify(action));
    }
  }
  return left;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test("2,000 random keys are undone through the history", async ({ page, installation }) => {
  console.log(`FUZZ_SEED=${seed}`);
  const { app, databaseUrl } = installation;
  await prepare(installation);
  const random = generator(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  await page.goto(new URL("/", app.url).href);
  const delivered = await approveAndDeliver(page, installation);
  const before = await stateOf(databaseUrl);
  page.context().on("page", (opened) => void opened.close());
  const requests = await watchRequests(page);

  for (let n = 0; n < KEYS; n++) {
    if (n % ON_PAGE === 0) {
      await page.goto(new URL(pick(places), app.url).href);
      await expect(page.getByRole("main")).toBeVisible();
    }
    await press(page, pick(pool), random);
  }
  // Decisions that wait in the browser are sent first.
  await page.goto(new URL(desk, app.url).href);
  const unsent = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("outbox")).length);
  await expect.poll(unsent, { timeout: 30_000 }).toBe(0);

  console.log(Object.fromEntries([...requests].sort()));
  const actions = await allActions(page);
  const open = actions.filter(({ undone_at }) => undone_at === null);
  const kinds = countBy(actions.map(({ kind }) => kind));
  console.log("actions", kinds, "not undone", open.length);
  expect(await stateOf(databaseUrl)).not.toEqual(before);
  for (const line of reached)
    expect(
      line.some((kind) => kind in kinds),
      `${line.join(" or ")}, FUZZ_SEED=${seed}`,
    ).toBe(true);

  expect(await undoEverything(page, actions), `FUZZ_SEED=${seed}`).toEqual([
    { id: delivered, restored: 0, limits: [expect.objectContaining({ reason: "handed_out", count: 1 })] },
  ]);
  const after = await stateOf(databaseUrl);
  await tellDifferences(databaseUrl, before.posts ?? [], after.posts ?? []);
  for (const name of Object.keys(tables))
    expect.soft(after[name], `${name}, FUZZ_SEED=${seed}`).toEqual(before[name]);
});

/**
 * Approves a post; a bot reserves and confirms it.
 *
 * @returns id of the approval, which cannot be undone
 */
async function approveAndDeliver(
  page: Page,
  { databaseUrl, sample }: SampleInstallation,
): Promise<string | undefined> {
  const [post] = await query<{ id: number }>(
    databaseUrl,
    "SELECT id FROM post WHERE reviewed_at IS NULL ORDER BY id LIMIT 1",
  );
  const id = post?.id ?? 0;
  await ask(page, `/posts/${id}/review`, "POST", { approved: true });
  const [newest] = await allActions(page);
  expect(newest).toMatchObject({ kind: "decision", post: { id }, restorable: 1 });
  // First in the queue.
  await query(
    databaseUrl,
    "UPDATE queue_entry SET approved_at = '2000-01-01', holds = 0, missing = 0 WHERE post_id = $1",
    [id],
  );
  const { json } = await sample.consume<{ fenliu_post_id: number }>("GET", "/curated/next");
  expect(json).toMatchObject({ fenliu_post_id: id });
  await throwOnError(sample.consume)("POST", `/curated/${id}/ack`);
  return newest?.id;
}

/** Prints the history of posts that differ from the start. */
async function tellDifferences(databaseUrl: string, before: unknown[], after: unknown[]): Promise<void> {
  const same = new Set(before.map((post) => JSON.stringify(post)));
  const ids = after
    .filter((post) => !same.has(JSON.stringify(post)))
    .map((post) => (post as { id: number }).id);
  const lines = await query(
    databaseUrl,
    `SELECT post_id, at::text, source, action, from_state, to_state, note, details FROM post_event
      WHERE post_id = ANY ($1) ORDER BY post_id, id`,
    [ids],
  );
  for (const line of lines) console.log(JSON.stringify(line));
}

/** Adds entries that the sample lacks, and starts with an empty history. */
async function prepare({ call, databaseUrl }: SampleInstallation): Promise<void> {
  await call("PATCH", "/profile", { preferences: { desk_hint_seen: true } });
  await query(
    databaseUrl,
    `INSERT INTO reported_opt_out (author_key, reason)
     SELECT author_key, 'nobot' FROM queue_entry WHERE state = 'pending' ORDER BY post_id LIMIT 1`,
  );
  await query(
    databaseUrl,
    `UPDATE queue_entry q SET holds = q.holds | 32 FROM reported_opt_out o
      WHERE q.author_key = o.author_key AND q.state <> 'delivered'`,
  );
  const saved_filters = [{ name: "Japanese", filter: { language: "ja" } }];
  await call("PATCH", "/profile", { preferences: { saved_filters } });
  // An undo stores what was a default before.
  const { checks } = (await call<ChecksSettings>("GET", "/checks/settings")).json;
  for (const { name } of checks)
    await query(databaseUrl, "INSERT INTO check_setting (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
  const { rules } = (await call<ClassifyRules>("GET", "/classify/rules")).json;
  for (const { name, weight } of rules)
    await query(databaseUrl, "INSERT INTO classify_rule (name, weight, enabled) VALUES ($1, $2, true)", [
      name,
      weight,
    ]);
  // The decisions of the sample are those of somebody else: the key of undo would take them back.
  await query(databaseUrl, "DELETE FROM change");
  await query(databaseUrl, "UPDATE post_event SET member_id = NULL, actor = 'Sample'");
  await query(
    databaseUrl,
    "UPDATE post SET reviewed_by_member = NULL, reviewed_by = 'Sample' WHERE reviewed_at IS NOT NULL",
  );
}
