import { rm } from "node:fs/promises";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/build.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { HASHTAGS } from "#tests/setup/journey-facts.ts";
import { startPlace, type Place } from "#tests/setup/place.ts";
import { pagesOf, type PagePath } from "#tests/setup/pages.ts";
import { doSampleWork } from "#tests/setup/sample-work.ts";
import { openBrowser, photograph } from "#tests/setup/screenshots.ts";

/*
 * `npm run screenshots`: every page at 1280 and 390 pixels, light and dark, of an installation at work and of an empty
 * one, into screenshots/, to be looked at. Words after it choose pages by a part of their name.
 */

const FOLDER = path.resolve("screenshots");
/** Longer than all of it ever takes; nothing may hang here for good. */
const LIMIT = 15 * 60_000;

const wanted = process.argv.slice(2);
const begun = performance.now();
const undo: (() => Promise<void>)[] = [];
let code = 1;

const overdue = setTimeout(() => {
  console.error("The pictures take too long; giving up.");
  void end();
}, LIMIT);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

try {
  await ensurePrismaClient();
  if (!(await isBuilt())) await build();
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  const { browser, close } = await openBrowser();
  undo.push(close);
  const troubles: string[] = [];
  for (const kind of ["empty", "full"] as const) {
    const place = await startPlace(
      { posts: kind === "full" ? 160 : 0, hashtags: HASHTAGS },
      async (started) => ({ subjects: kind === "full" ? await fill(started) : pagesOf({}) }),
    );
    undo.push(place.takeDown);
    const chosen = place.subjects.filter(({ name }) => wanted.every((part) => name.includes(part)));
    const folder = path.join(FOLDER, kind);
    troubles.push(...(await photograph(browser, place.app.url, place.session, chosen, folder)));
    await undo.pop()?.();
    console.log(`${kind}: ${chosen.length} pages, ${Math.round((performance.now() - begun) / 1000)} s`);
  }
  for (const trouble of troubles) console.error(trouble);
  console.log(`The pictures are in ${path.relative(process.cwd(), FOLDER)}/.`);
  code = troubles.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
}
await end();

/** Does some work at a place. Returns its pages. */
async function fill(place: Place): Promise<PagePath[]> {
  const work = await doSampleWork(place, HASHTAGS);
  return pagesOf({ streamId: work.streamId, postId: work.duplicate, account: work.account });
}

async function end(): Promise<never> {
  clearTimeout(overdue);
  for (const step of undo.splice(0).reverse()) await step().catch(() => undefined);
  process.exit(code);
}
