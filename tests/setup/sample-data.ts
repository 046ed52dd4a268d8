import { apiCaller, fetchToEnd, throwOnError, type ApiCaller } from "./api-client.ts";

export type SampleData = {
  key: string;
  keyId: number;
  consume: ApiCaller;
  streamId: number;
  account: string;
  /** Reported as a duplicate of another post, and of itself. */
  duplicate: number;
  duplicateOfItself: number;
  reserved: number[];
};

type Item = { fenliu_post_id: number };
type Post = { id: number; media_attachments: { type: string; url: string }[]; author_account: string };

const GONE = "Status not found on fediverse";
const TIMED_OUT =
  "Timeout after 30 s while boosting https://a-rather-long-host-name.community.example/users/somebody/statuses/113221840022110021 (3 attempts)";
const LONG_HASHTAG = "aVeryLongHashtagThatNobodyTypesButEverybodyHasSeen60Characters";

/**
 * Requires a simulated server with a hundred posts.
 *
 * @param hashtags of those posts
 */
export async function addSampleData(
  { app, call, remote }: { app: { url: string }; call: ApiCaller; remote: { host: string } },
  hashtags: readonly string[],
): Promise<SampleData> {
  const streamId = await addStreams(call, remote.host, hashtags);
  const { json: made } = await call<{ id: number; api_key: string }>("POST", "/api-keys/generate", {
    name: "Boost bot",
    scopes: ["consume"],
  });
  const consume = apiCaller(app.url, { "x-api-key": made.api_key });
  await review(call);
  const consumed = await consumeSome(consume, call);
  await setRules(call);
  const { json: shown } = await call<Post>("GET", `/posts/${consumed.duplicate}`);
  return { key: made.api_key, keyId: made.id, consume, streamId, account: shown.author_account, ...consumed };
}

async function addStreams(call: ApiCaller, instance: string, hashtags: readonly string[]): Promise<number> {
  // Unscheduled, so that the worker does not fetch them too.
  const quiet = { enable_scheduling: false };
  const ids: number[] = [];
  for (const hashtag of hashtags) {
    ids.push((await call<{ id: number }>("POST", "/streams", { hashtag, instance, ...quiet })).json.id);
  }
  await call("POST", "/streams", { hashtag: LONG_HASHTAG, instance, ...quiet });
  await call("POST", "/streams", { hashtag: "写真", instance, ...quiet, active: false });
  const { json: failing } = await call<{ id: number }>("POST", "/streams", {
    hashtag: "sunset",
    instance: "a-server-that-is-gone.invalid",
    ...quiet,
  });
  for (const id of ids) await fetchToEnd(call, id);
  await call("POST", `/streams/${failing.id}/fetch`).catch(() => undefined);
  return ids[0] ?? 0;
}

async function review(call: ApiCaller): Promise<void> {
  const { json } = await call<{ items: Post[] }>("GET", "/posts?reviewed=false&limit=100");
  for (const [index, post] of json.items.entries()) {
    const turn = index % 10;
    if (turn < 6) await call("POST", `/posts/${post.id}/review`, { approved: true });
    else if (turn < 8) {
      await call("POST", `/posts/${post.id}/review`, { approved: false, reject_reason: 2 });
    } else if (index === 8) {
      await call("POST", `/posts/${post.id}/review`, { approved: true });
      await call("POST", `/posts/${post.id}/review`, { approved: null });
    }
  }
}

async function consumeSome(consume: ApiCaller, call: ApiCaller) {
  const next = async (query = "") => {
    const { status, json } = await consume<Item>("GET", `/curated/next${query}`);
    if (status !== 200) throw new Error(`There is nothing to reserve: ${status}`);
    return json.fenliu_post_id;
  };
  const settle = async (id: number, verb: string, body?: unknown) => {
    await throwOnError(consume)("POST", `/curated/${id}/${verb}`, body);
  };
  const delivered: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const id = await next();
    await settle(id, "ack");
    delivered.push(id);
  }
  for (const reason of [GONE, GONE, TIMED_OUT]) await settle(await next(), "error", { reason });

  const { json: page } = await call<{ items: Post[] }>(
    "GET",
    "/posts?approved=true&has_media=true&limit=100",
  );
  const pictures = new Map(
    page.items.flatMap((post) => {
      const first = post.media_attachments.find((media) => media.type === "image");
      return first ? [[post.id, first.url] as const] : [];
    }),
  );
  const [duplicate, duplicateOfItself] = await reservePictures(next, settle, pictures);
  const matched = delivered.find((id) => pictures.has(id)) ?? duplicateOfItself;
  const report = (id: number, other: number) => ({
    reason: "Duplicate attachment",
    error_details: {
      error_type: "duplicate_attachment",
      match_type: "dhash",
      current_url: pictures.get(id),
      current_dhash: "f0e4c2d7a5b19388",
      matched_url: pictures.get(other),
      matched_dhash: "f0e4c2d7a5b1938b",
      matched_post_id: String(other),
    },
  });
  await settle(duplicate, "error", report(duplicate, matched));
  await settle(duplicateOfItself, "error", report(duplicateOfItself, duplicateOfItself));
  const reserved = [await next(), await next()];
  // The fourth nack of a post starts a backoff, which the next reservation would end after a second. A post that was
  // confirmed meanwhile may come between.
  const nacks = new Map<number, number>();
  for (let turn = 0; ![...nacks.values()].includes(4); turn++) {
    if (turn === 20) throw new Error("No post was refused four times.");
    const id = await next();
    await settle(id, "nack");
    nacks.set(id, (nacks.get(id) ?? 0) + 1);
  }
  return { duplicate, duplicateOfItself, reserved };
}

async function reservePictures(
  next: (query?: string) => Promise<number>,
  settle: (id: number, verb: string) => Promise<void>,
  pictures: ReadonlyMap<number, string>,
): Promise<[number, number]> {
  const found: number[] = [];
  for (let turn = 0; turn < 25; turn++) {
    const id = await next();
    if (!pictures.has(id)) await settle(id, "ack");
    else if (found.push(id) === 2) break;
  }
  const [first, second] = found;
  if (first === undefined || second === undefined) throw new Error("There are no posts with pictures.");
  return [first, second];
}

async function setRules(call: ApiCaller): Promise<void> {
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" }).format(new Date());
  await call("POST", "/topical-tags", { hashtag: "caturday", topical_day_of_week: "Saturday" });
  await call("POST", "/topical-tags", { hashtag: "cats", topical_day_of_week: weekday });
  await call("POST", "/topical-tags", { hashtag: "猫の日", topical_month_day: "02-22" });
  const users = "/reblog-controls/blocked-users";
  await call("POST", users, {
    account_identifier: "@somebody.with.a.name.of.some.length@a-rather-long-host-name.community.example",
    pattern_type: "exact",
    notes: "Asked not to be boosted, twice, and left the server afterwards",
  });
  await call("POST", users, { account_identifier: "@crossposter.example", pattern_type: "suffix" });
  const tags = "/reblog-controls/blocked-hashtags";
  for (const hashtag of ["giveaway", "إعلان", "プレゼント企画", LONG_HASHTAG])
    // One is the hashtag of a stream, which asks for a confirmation.
    await call("POST", tags, { hashtag, confirm: true });
  await call("PUT", "/reblog-controls/settings", { require_alt_text: true });
}
