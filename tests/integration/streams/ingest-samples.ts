import { expect } from "vitest";
import { randomUUID } from "node:crypto";
import { db } from "#lib/base/db.ts";
import { ingestPosts, type IngestResult } from "#lib/collect/ingest-posts.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { normaliseStatus, type NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { makeStream } from "#tests/setup/factories.ts";

export const HOME = "home.example";

export type IngestTarget = Parameters<typeof ingestPosts>[1] &
  Record<"hashtag" | "hashtag_folded", string> & { id: number };

export interface Account {
  username?: string;
  display_name?: string;
  emojis?: { shortcode: string; url: string }[];
  acct?: string;
  bot?: boolean;
  note?: string;
  noindex?: boolean | null;
  indexable?: boolean | null;
  discoverable?: boolean | null;
  locked?: boolean;
  suspended?: boolean;
}

export interface Status {
  id: string;
  uri: string;
  url: string | null;
  created_at: string;
  edited_at: string | null;
  visibility: string;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  language: string | null;
  in_reply_to_id: string | null;
  reblogs_count: number;
  favourites_count: number;
  replies_count: number;
  tags: { name: string }[];
  media_attachments: Record<string, unknown>[];
  account: Record<string, unknown>;
  [key: string]: unknown;
}

/** As `authorNamer` leaves a post of a split-domain server. */
export function atDomain(entry: NormaliseResult, domain: string): NormaliseResult {
  if (!entry.ok) return entry;
  const { author } = entry.post;
  const account = `@${author.username}@${domain}`;
  return { ok: true, post: { ...entry.post, instance: domain, author: { ...author, account } } };
}

let counter = 100_000;

export function status(
  given: Partial<Omit<Status, "account">> & { account?: Account } = {},
  host = HOME,
): Status {
  const id = String(++counter);
  const { account = {}, ...rest } = given;
  const username = account.username ?? `author${id}`;
  return {
    id,
    uri: `https://${host}/users/${username}/statuses/${id}-${randomUUID()}`,
    url: `https://${host}/@${username}/${id}`,
    created_at: new Date(Date.now() - 3_600_000 + counter).toISOString(),
    edited_at: null,
    visibility: "public",
    content: `<p>Post ${id}</p>`,
    spoiler_text: "",
    sensitive: false,
    language: "en",
    in_reply_to_id: null,
    reblogs_count: 0,
    favourites_count: 0,
    replies_count: 0,
    tags: [{ name: "cats" }],
    media_attachments: [],
    ...rest,
    account: {
      id: `a${id}`,
      username,
      acct: username,
      display_name: `Author ${id}`,
      url: `https://${host}/@${username}`,
      note: "<p>I like cats.</p>",
      fields: [],
      bot: false,
      locked: false,
      noindex: false,
      indexable: false,
      discoverable: false,
      ...account,
    },
  };
}

export function copyOf(original: Status, given: Partial<Status> = {}, host = HOME): Status {
  const account = { ...original.account, acct: `${String(original.account["username"])}@${host}` };
  return { ...original, id: String(++counter), ...given, account };
}

export const image = (description: string | null = "a cat", url = "https://files.home.example/1.jpg") => ({
  id: "1",
  type: "image",
  url,
  preview_url: url,
  description,
});

export function entries(statuses: Status[], host = HOME): NormaliseResult[] {
  return statuses.map((each) => normaliseStatus(each, { host, now: new Date() }));
}

export async function target(data: Partial<IngestTarget> = {}): Promise<IngestTarget> {
  const row = await makeStream({ instance: HOME, ...data });
  return {
    ...row,
    hashtag_folded: foldHashtag(row.hashtag),
    consent_policy: row.consent_policy as "moderate",
  };
}

/** Ingests statuses as received from `stream.instance`. */
export function ingest(
  stream: IngestTarget,
  statuses: Status[],
  options: { max_new?: number } = {},
): Promise<IngestResult> {
  return db.$transaction((tx) => ingestPosts(tx, stream, entries(statuses, stream.instance), options));
}

export function postOf(each: Pick<Status, "uri">) {
  return db.post.findUniqueOrThrow({ where: { uri: each.uri } });
}

export function historyOf(postId: number) {
  return db.post_event.findMany({ where: { post_id: postId }, orderBy: { id: "asc" } });
}

export const nothing = {
  new: 0,
  duplicates: 0,
  updated: 0,
  auto_rejected: 0,
  dropped: {},
  dropped_posts: expect.any(Map) as Map<string, string>,
  opted_out: [],
};
