import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { apiCaller, createSession, sessionCookies } from "#tests/setup/api-client.ts";
import { decisionLog, type LoggedDecision, outboxState, topCardId } from "#tests/setup/desk.ts";
import { startInstallation } from "#tests/setup/installation.ts";
import { openBrowser } from "#tests/setup/chromium.ts";
import { seeded } from "#tests/simulated-server/random.ts";
import type { Row } from "./api-group.ts";
import { watchDeck, whatWasSeen, type Seen } from "./desk-probe.ts";
import { addReviewPosts, compareWithLog, decisionForKey } from "./review-posts.ts";
import { summarise } from "./load.ts";

const REVIEWER = { email: "reviewer@bench.example", password: "sixty posts and a minute" };
const HASHTAG = "photography";
const PATIENCE = 20_000;

export interface DeskOptions {
  posts: number;
  decisions: number;
  seconds: number;
  /** Milliseconds of network outage in the middle; 0 for none. */
  cut: number;
  report: (line: string) => void;
}

/**
 * A scripted reviewer in a real browser: time from key press to next painted card, and whether the review
 * log holds each decision once and in order.
 */
export async function runDeskGroup(options: DeskOptions): Promise<Row[]> {
  const undo: (() => Promise<void>)[] = [];
  try {
    const begun = performance.now();
    const [installation, { browser, close }] = await Promise.all([
      startInstallation({
        posts: 64,
        hashtags: [HASHTAG],
        seed: "desk",
        settings: { ADMIN_EMAIL: REVIEWER.email, ADMIN_PASSWORD: REVIEWER.password },
      }),
      openBrowser(),
    ]);
    undo.push(installation.stop, close);
    const { url } = installation.app;
    const session = await createSession(url, REVIEWER.email, REVIEWER.password);
    const call = apiCaller(url, { cookie: session.cookie, origin: url });
    await addReviewPosts(installation, call, HASHTAG, options.posts);
    options.report(`desk ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`);

    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addCookies(sessionCookies(session, url));
    const page = await context.newPage();
    await watchDeck(page);
    await page.goto(`${url}/review`);
    await until(async () => (await topCardId(page)) !== null);
    const cut = { from: (options.decisions - options.cut) / 2 / options.decisions, seconds: options.cut };
    await review(page, options, cut);
    await until(async () => (await outboxState(page)).status === "saved");
    const { seen, uncovering } = await whatWasSeen(page);
    const { lost, doubled, misplaced } = compareWithLog(deedsOf(seen), await decisionLog(call));
    const { p50_ms, p95_ms } = summarise(seen.map(({ ms }) => ms));
    const pictures = seen.filter(({ picture }) => picture !== null);
    return [
      {
        name: "desk",
        size: options.posts,
        decisions: seen.length,
        seconds: options.seconds,
        uncovering,
        cut_s: options.cut,
        p50_ms,
        p95_ms,
        max_ms: Math.max(...seen.map(({ ms }) => ms)),
        pictures: pictures.length,
        pictures_there: pictures.filter(({ picture }) => picture).length,
        lost: lost + (options.decisions - uncovering - seen.length),
        doubled,
        misplaced,
      },
    ];
  } finally {
    for (const end of undo.reverse()) await end();
  }
}

/** Half approved, some rejected or with a reason, one skipped, one undone. */
const MIX = "aaaaaarr1sz2";

/** The keys of the reviewer and the pauses before them, equal in every run; all pauses take `seconds`. */
function writeScript(decisions: number, seconds: number): { key: string; pause_ms: number }[] {
  const random = seeded("reviewer");
  const keys: string[] = [];
  while (keys.length < decisions) {
    for (const key of random.sample([...MIX], MIX.length)) {
      if (key === "z" && (keys.length === 0 || keys.at(-1) === "z")) keys.push("a");
      else keys.push(key);
    }
  }
  const looks = keys.slice(0, decisions).map(() => 0.2 + random.next() ** 2 * 2.4);
  const all = looks.reduce((sum, look) => sum + look, 0);
  return looks.map((look, i) => ({ key: keys[i] ?? "a", pause_ms: (look / all) * seconds * 1000 }));
}

async function review(
  page: Page,
  { decisions, seconds }: DeskOptions,
  cut: { from: number; seconds: number },
): Promise<void> {
  const begun = performance.now();
  const cutAt = begun + cut.from * seconds * 1000;
  const backAt = cutAt + cut.seconds * 1000;
  let isCut = false;
  let due = begun;
  for (const { key, pause_ms } of writeScript(decisions, seconds)) {
    due += pause_ms;
    const wantCut = due >= cutAt && due < backAt;
    await sleep(Math.max(0, due - performance.now()));
    if (wantCut !== isCut) await page.context().setOffline((isCut = wantCut));
    await page.keyboard.press(key);
  }
  if (isCut) await page.context().setOffline(false);
}

function deedsOf(seen: readonly Seen[]): LoggedDecision[] {
  const deeds: LoggedDecision[] = [];
  for (const { key, card, next } of seen) deeds.push(decisionForKey(key, card, next, deeds));
  return deeds;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("The desk did not get ready in time");
    await sleep(50);
  }
}
