import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { topCard } from "./desk-hands.ts";
import { fillDesk } from "./desk-posts.ts";
import type { Installation } from "./installation.ts";
import { listenTo, expect } from "./journey.ts";
import type { Session } from "./open-session.ts";
import { startPlace, type Place } from "./place.ts";
import { sessionCookies } from "./session-cookies.ts";

const HASHTAG = "photography";
/**
 * Starts an installation with posts to review, for journeys that decide on them.
 * @param posts how many unreviewed posts it has
 */
export function startDeskPlace({ posts, seed }: { posts: number; seed: string }): Promise<Place> {
  return startPlace({ posts: 64, hashtags: [HASHTAG], seed }, async (place) => {
    await fillDesk(place, place.call, HASHTAG, posts);
    return {};
  });
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
