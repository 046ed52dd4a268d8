import path from "node:path";
import { pathToFileURL } from "node:url";
import { clientInfoOf } from "#lib/auth/client-info.ts";
import { toIso } from "#lib/clock.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { Facts } from "./facts.ts";
import { judge } from "./judge.ts";
import type { readFacts as ReadFacts } from "./read-facts.ts";
import type { Doctor } from "./schema.ts";

let running: Promise<Facts> | undefined;

/**
 * The checks of `npm run sluice -- doctor` in the web process, and those of the address in the browser and of the proxy.
 * Concurrent calls share one run.
 *
 * @param headers of the request
 * @param origin of the page in the browser
 * @throws ApiError `doctor_unavailable` where only the build is deployed
 */
export async function examine(headers: Headers, origin: string | undefined): Promise<Doctor> {
  running ??= readFactsHere().finally(() => (running = undefined));
  const facts = await running;
  const items = judge({
    ...facts,
    browser: {
      origin: origin ?? null,
      network: clientInfoOf(headers).address_prefix,
      // Written by settleForwarding() of lib/runtime/web.
      hasUnknownProxy: headers.get("x-forwarded-for") === "unknown",
    },
  });
  return { items, total: items.length, checked_at: toIso(new Date(facts.now)) };
}

/** The module reads migrations and functions from the folder of the program, so it is not part of the build. */
async function readFactsHere(): Promise<Facts> {
  const file = pathToFileURL(path.join(process.cwd(), "lib/runtime/doctor/read-facts.ts")).href;
  const loaded = await (
    import(/* turbopackIgnore: true */ /* webpackIgnore: true */ /* @vite-ignore */ file) as Promise<unknown>
  ).catch((error: unknown) => log.warn({ err: error }, "the doctor cannot be loaded"));
  if (loaded === undefined) throw new ApiError("doctor_unavailable");
  const { readFacts } = loaded as { readFacts: typeof ReadFacts };
  const { DATABASE_URL: url, DATA_DIR } = env();
  const database = url === undefined ? { problem: "DATABASE_URL is not set." } : { url };
  return readFacts(env(), path.resolve(/* turbopackIgnore: true */ DATA_DIR), database);
}
