// Boosts approved posts of Sluice from an account on Mastodon, with a line for each post. Node.js 22.18 or newer:
//   npm install && SLUICE_URL=https://… SLUICE_KEY=slc_… MASTODON_URL=https://… MASTODON_TOKEN=… node bot.ts
// The key needs the scope "consume", the token "read:search" and "write:statuses".
import { createRestAPIClient, MastoHttpError } from "masto";

const { SLUICE_URL = "", SLUICE_KEY = "", MASTODON_URL = "", MASTODON_TOKEN = "" } = process.env;
const PAUSE = Number(process.env.PAUSE ?? 60); // seconds between two posts, and after a failure
const TIMEOUT = 30_000; // milliseconds of one request
const settings = { SLUICE_URL, SLUICE_KEY, MASTODON_URL, MASTODON_TOKEN };
const unset = Object.entries(settings).flatMap(([name, value]) => (value === "" ? name : []));
if (unset.length > 0) end(`Set ${unset.join(", ")}.`);
for (const [name, value] of Object.entries({ SLUICE_URL, MASTODON_URL }))
  if (!/^https?:\/\/[^/?#]+\/?$/.test(value)) end(`${name} must be an address such as https://example.org.`);
if (!(PAUSE > 0)) end("PAUSE must be a number of seconds above 0.");
const mastodon = createRestAPIClient({ url: MASTODON_URL, accessToken: MASTODON_TOKEN, timeout: TIMEOUT });

function end(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`);
/** Seconds to wait; `otherwise` without the header, or with a date from a proxy. */
const retryAfter = (from: Response | null, otherwise: number) =>
  Number(from?.headers.get("Retry-After")) || otherwise;
const sleep = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

/** Null without an answer. Ends the program when the key is refused. */
async function sluice(path: string, etag?: string | null, body?: object): Promise<Response | null> {
  const headers = { "X-API-Key": SLUICE_KEY, ...(etag ? { "If-Match": etag } : {}) };
  const isRead = path === "next";
  const post = isRead ? {} : { method: "POST", body: JSON.stringify(body ?? {}) };
  const url = `${SLUICE_URL.replace(/\/$/, "")}/api/v1/curated/${path}`;
  try {
    const answer = await fetch(url, { ...post, headers, signal: AbortSignal.timeout(TIMEOUT) });
    if (answer.status === 401 || answer.status === 403) end(`Sluice: ${await answer.text()}`);
    if (isRead && answer.status >= 400) log(`Sluice: ${answer.status} ${await answer.text()}`);
    return answer;
  } catch (problem) {
    log(`Sluice: ${String(problem)}`);
    return null;
  }
}

type Outcome = { verb: "ack" | "nack" | "error"; body?: object; note?: string };

async function boost(uri: string, until: number): Promise<Outcome> {
  try {
    // resolve=true lets the server fetch a post that it has not seen yet.
    const found = await mastodon.v2.search.list({ q: uri, type: "statuses", resolve: true, limit: 1 });
    if (!found.statuses[0]) return failed("Status not found on fediverse");
    await mastodon.v1.statuses.$select(found.statuses[0].id).reblog();
    return { verb: "ack" };
  } catch (problem) {
    const status = problem instanceof MastoHttpError ? problem.statusCode : 0; // 0: no answer
    if (status === 422) return { verb: "ack", note: "again: it was boosted before" };
    if (status === 404 || status === 410) return failed("Status not found on fediverse");
    if (status === 403) return failed("Boosting this status is not allowed");
    // Too many requests: wait within the reservation. Anything else: give the post back.
    if (status !== 429 || Date.now() + (PAUSE + 5) * 1000 > until)
      return { verb: "nack", note: String(problem) };
    await sleep(PAUSE);
    return boost(uri, until);
  }
}
const failed = (reason: string): Outcome => ({ verb: "error", body: { reason }, note: reason });
const verbs = { ack: "boosted", nack: "gave back", error: "reported" };
let failures = 0;

async function settle(id: number, uri: string, etag: string | null, { verb, body, note }: Outcome) {
  log(`${verbs[verb]} ${uri}${note ? ` ${note}` : ""}`);
  let least = 0; // seconds that Sluice asks to wait after a nack
  // The ETag keeps a late answer from touching the reservation of another bot. 404, 409, 412: nothing to do.
  for (let attempt = 1; attempt <= 5; attempt++) {
    const settled = await sluice(`${id}/${verb}`, etag, body);
    least = retryAfter(settled, 0);
    if (settled !== null && settled.status < 500) break;
    await sleep(2 ** attempt);
  }
  failures = verb === "nack" ? failures + 1 : 0;
  await sleep(Math.max(least, PAUSE * 2 ** Math.min(failures, 5)));
}

type Post = { fenliu_post_id: number; post_uri: string };
const endOf = (answer: Response) => Date.parse(answer.headers.get("X-Reservation-Expires-At") ?? "");

for (;;) {
  const next = await sluice("next");
  if (next?.status !== 200) {
    await sleep(retryAfter(next, PAUSE)); // 204: no post; else try again
    continue;
  }
  const { fenliu_post_id: id, post_uri: uri } = (await next.json()) as Post;
  await settle(id, uri, next.headers.get("ETag"), await boost(uri, endOf(next)));
}
