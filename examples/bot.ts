// Boosts approved posts of Sluice from an account on Mastodon, with a line for each post. Node.js 22.18 or newer:
//   npm install && SLUICE_URL=https://… SLUICE_KEY=slc_… MASTODON_URL=https://… MASTODON_TOKEN=… node bot.ts
// The key needs the scope "consume", the token "read:search" and "write:statuses".
import { createRestAPIClient, MastoHttpError } from "masto";

const { SLUICE_URL = "", SLUICE_KEY = "", MASTODON_URL = "", MASTODON_TOKEN = "" } = process.env;
const PAUSE = Number(process.env.PAUSE ?? 60); // seconds between two posts, and after a failure
const TIMEOUT = 30_000; // milliseconds of one request
const settings = { SLUICE_URL, SLUICE_KEY, MASTODON_URL, MASTODON_TOKEN };
const unset = Object.entries(settings).flatMap(([name, value]) => (value === "" ? name : []));
if (unset.length > 0 || !(PAUSE > 0)) {
  console.error(unset.length > 0 ? `Set ${unset.join(", ")}.` : "PAUSE must be a number of seconds.");
  process.exit(1);
}
const mastodon = createRestAPIClient({ url: MASTODON_URL, accessToken: MASTODON_TOKEN, timeout: TIMEOUT });
const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`);
/** Seconds to wait; `otherwise` without the header, or with a date from a proxy. */
const retryAfter = (from: Response | null, otherwise: number) =>
  Number(from?.headers.get("Retry-After")) || otherwise;
const sleep = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

function sluice(path: string, etag?: string | null, body?: object): Promise<Response | null> {
  const headers = { "X-API-Key": SLUICE_KEY, ...(etag ? { "If-Match": etag } : {}) };
  const post = path === "next" ? {} : { method: "POST", body: JSON.stringify(body ?? {}) };
  const signal = AbortSignal.timeout(TIMEOUT);
  return fetch(`${SLUICE_URL}/api/v1/curated/${path}`, { ...post, headers, signal }).catch((problem) => {
    log(`Sluice: ${String(problem)}`);
    return null;
  });
}

/** The verb that settles the post, and for "error" the reason. */
async function boost(uri: string, until: number): Promise<["ack" | "nack"] | ["error", string]> {
  try {
    // resolve=true lets the server fetch a post that it has not seen yet.
    const found = await mastodon.v2.search.list({ q: uri, type: "statuses", resolve: true, limit: 1 });
    if (!found.statuses[0]) return ["error", "Status not found on fediverse"];
    await mastodon.v1.statuses.$select(found.statuses[0].id).reblog();
    return ["ack"];
  } catch (problem) {
    const status = problem instanceof MastoHttpError ? problem.statusCode : 0; // 0: no answer
    log(`${uri}: ${String(problem)}`);
    if (status === 422) return ["ack"]; // boosted before
    if (status === 404 || status === 410) return ["error", "Status not found on fediverse"];
    if (status === 403) return ["error", "Boosting this status is not allowed"];
    // Too many requests: wait within the reservation. Anything else: give the post back.
    if (status !== 429 || Date.now() + (PAUSE + 5) * 1000 > until) return ["nack"];
    await sleep(PAUSE);
    return boost(uri, until);
  }
}

for (let failures = 0; ;) {
  const next = await sluice("next");
  if (next?.status === 401 || next?.status === 403) throw new Error(await next.text());
  if (next && next.status >= 400) log(`Sluice: ${next.status} ${await next.text()}`);
  if (next?.status !== 200) {
    await sleep(retryAfter(next, PAUSE)); // 204: no post; else try again
    continue;
  }
  const { fenliu_post_id: id, post_uri } = (await next.json()) as {
    fenliu_post_id: number;
    post_uri: string;
  };
  const until = Date.parse(next.headers.get("X-Reservation-Expires-At") ?? "");
  const [verb, reason] = await boost(post_uri, until);
  log(`${{ ack: "boosted", nack: "gave back", error: "reported" }[verb]} ${post_uri} ${reason ?? ""}`.trim());
  let least = 0; // seconds that Sluice asks to wait after a nack
  // The ETag keeps a late answer from touching the reservation of another bot. 404, 409, 412: nothing to do.
  for (let attempt = 1; attempt <= 5; attempt++) {
    const settled = await sluice(`${id}/${verb}`, next.headers.get("ETag"), reason ? { reason } : undefined);
    least = retryAfter(settled, 0);
    if (settled !== null && settled.status < 500) break;
    await sleep(2 ** attempt);
  }
  failures = verb === "nack" ? failures + 1 : 0;
  await sleep(Math.max(least, PAUSE * 2 ** Math.min(failures, 5)));
}
