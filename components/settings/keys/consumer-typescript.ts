/**
 * A complete consumer in TypeScript, shown beside a new key. A test runs it against the queue.
 *
 * @param address base address of this service
 */
export function consumerInTypeScript(address: string): string {
  return String.raw`// A consumer of Sluice: takes one approved post at a time and boosts it. Run it with Node 22.18 or newer:
//   SLUICE_KEY=slc_… node consumer.ts
const base = (process.env.SLUICE_URL ?? ${JSON.stringify(address)}) + "/api/v1";
const key = process.env.SLUICE_KEY ?? "";
const pace = Number(process.env.SLUICE_PACE) || 60; // seconds between two posts

type Post = { fenliu_post_id: number; post_url: string; author_account: string; content_snippet: string };
type Outcome = "boosted" | "later" | { reason: string; error_details?: object };

// Call your own server here. "later" returns the post to the queue; a reason removes it from the queue.
async function boost(post: Post): Promise<Outcome> {
  console.log("Boosting " + post.post_url + " by " + post.author_account);
  return "boosted";
}

const sleep = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

function call(method: string, path: string, lease?: string, body?: object): Promise<Response> {
  const headers: Record<string, string> = { "X-API-Key": key };
  if (lease !== undefined) headers["If-Match"] = lease;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const signal = AbortSignal.timeout(30_000);
  return fetch(base + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
}

// Reports the outcome of a post. 404, 409 and 412: it is already settled, or another consumer has it.
async function settle(post: Post, lease: string, verb: "ack" | "nack" | "error", body?: object) {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const path = "/curated/" + post.fenliu_post_id + "/" + verb;
    const answer = await call("POST", path, lease, body).catch(() => null);
    if (answer !== null && answer.status < 500 && answer.status !== 429) {
      if (!answer.ok) console.warn(verb + " " + answer.status + ": " + (await answer.text()));
      return;
    }
    await sleep(Math.min(2 ** attempt, pace));
  }
}

// Handles one post, if there is one. Returns the seconds to wait, null after an error.
async function handleOne(): Promise<number | null> {
  const answer = await call("GET", "/curated/next");
  if (answer.status === 204) return Number(answer.headers.get("Retry-After")) || 30;
  if (answer.status === 401 || answer.status === 403) {
    console.error("The key was refused: " + (await answer.text()));
    process.exit(1);
  }
  if (answer.status !== 200) throw new Error("/curated/next answered " + answer.status);
  const post = (await answer.json()) as Post;
  const lease = answer.headers.get("ETag") ?? "*";
  const outcome = await boost(post).catch((problem) => (console.error(problem), "later" as const));
  if (typeof outcome === "object") await settle(post, lease, "error", outcome);
  else await settle(post, lease, outcome === "boosted" ? "ack" : "nack");
  return outcome === "later" ? null : 0;
}

// Waits after each post, and longer after each error in a row, at most 15 minutes.
for (let errors = 0; ; ) {
  const rest = await handleOne().catch((problem) => (console.error(String(problem)), null));
  errors = rest === null ? errors + 1 : 0;
  const wait = rest === null ? Math.min(900, pace * 2 ** errors) * (0.5 + Math.random() / 2) : rest;
  await sleep(Math.max(pace, wait));
}
`;
}
