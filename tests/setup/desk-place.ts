import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { apiCaller, strictly, type ApiCaller } from "./api-caller.ts";
import { topCard } from "./desk-hands.ts";
import { fillDesk } from "./desk-posts.ts";
import { startInstallation, type Installation } from "./installation.ts";
import { listenTo, expect } from "./journey.ts";
import { openSession, type Session } from "./open-session.ts";
import { sessionCookies } from "./session-cookies.ts";

const HASHTAG = "photography";
const FIRST = { email: "first@desk.example", password: "the heron at the weir" };

/** An installation with posts to review, for journeys that decide on them. */
export interface DeskPlace extends Installation {
  session: Session;
  /** Calls as its first member, an administrator; what is refused is an Error. */
  call: ApiCaller;
}

/** @param posts how many unreviewed posts it has */
export async function startDeskPlace({ posts, seed }: { posts: number; seed: string }): Promise<DeskPlace> {
  const place = await startInstallation({
    posts: 64,
    hashtags: [HASHTAG],
    seed,
    settings: { ADMIN_EMAIL: FIRST.email, ADMIN_PASSWORD: FIRST.password },
  });
  try {
    const { url } = place.app;
    const session = await openSession(url, FIRST.email, FIRST.password);
    const call = strictly(apiCaller(url, { cookie: session.cookie, origin: url }));
    await fillDesk(place, call, HASHTAG, posts);
    return { ...place, session, call };
  } catch (error) {
    await place.takeDown();
    throw error;
  }
}

/** A browser of its own in which somebody is signed in. */
export async function signIn(
  browser: Browser,
  place: Installation,
  session: Session,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addCookies(sessionCookies(session, place.app.url));
  return context;
}

/** A tab with the deck and a card on top; `complaints` is what the page says on the console. */
export async function openDeck(
  context: BrowserContext,
  place: Installation,
): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints = listenTo(page);
  await page.goto(`${place.app.url}/review`);
  await expect.poll(() => topCard(page)).not.toBeNull();
  return { page, complaints };
}
