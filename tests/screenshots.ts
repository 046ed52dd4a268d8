import { rm } from "node:fs/promises";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/build.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { HASHTAGS } from "#tests/setup/journey-facts.ts";
import { startInstallation, type Installation } from "#tests/setup/installation.ts";
import { openSession } from "#tests/setup/open-session.ts";
import { pagesOf, type PagePath } from "#tests/setup/pages.ts";
import { doSampleWork } from "#tests/setup/sample-work.ts";
import { openBrowser, photograph } from "#tests/setup/screenshots.ts";

/*
 * `npm run screenshots`: every page at 1280 and 390 pixels, light and dark, of an installation at work and of an empty
 * one, into screenshots/, to be looked at. Words after it choose pages by a part of their name.
 */

const ADMIN = { email: "admin@screenshots.example", password: "pictures at an exhibition" };
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
    const place = await startInstallation({
      posts: kind === "full" ? 160 : 0,
      hashtags: HASHTAGS,
      settings: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    });
    undo.push(place.takeDown);
    const session = await openSession(place.app.url, ADMIN.email, ADMIN.password);
    const subjects = await prepare(kind, place);
    const chosen = subjects.filter(({ name }) => wanted.every((part) => name.includes(part)));
    const folder = path.join(FOLDER, kind);
    troubles.push(...(await photograph(browser, place.app.url, session, chosen, folder)));
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

async function prepare(kind: "empty" | "full", { app, remote }: Installation): Promise<PagePath[]> {
  if (kind === "empty") return pagesOf({});
  const session = await openSession(app.url, ADMIN.email, ADMIN.password);
  const work = await doSampleWork(app.url, session, remote.host, HASHTAGS);
  return pagesOf({ streamId: work.streamId, postId: work.duplicate, account: work.account });
}

async function end(): Promise<never> {
  clearTimeout(overdue);
  for (const step of undo.splice(0).reverse()) await step().catch(() => undefined);
  process.exit(code);
}
