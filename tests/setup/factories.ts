import { switches } from "#lib/queue/switches.ts";
import type { SwitchName } from "#lib/blocking/schema.ts";
import { randomUUID } from "node:crypto";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db } from "#lib/base/db.ts";
import type { Role, Scope } from "#lib/base/http/permissions.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { forgetOldPictures } from "#lib/collect/ingest-sql.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import type { Prisma } from "#prisma/generated/client.ts";

let counter = 0;
export function unique(): number {
  return ++counter;
}

/** The password cannot be used to sign in. */
export async function makeMember(role: Role = "admin", data: Partial<Prisma.memberCreateInput> = {}) {
  const n = unique();
  return db.member.create({
    data: { email: `member${n}-${randomUUID()}@example.org`, name: `Member ${n}`, role, ...data },
  });
}

/** A key in clear with all scopes of `created_by`, by default a new admin. */
export async function makeKey(
  options: {
    scopes?: Scope[];
    role?: Role;
    created_by?: number;
    stream_ids?: number[];
    expires_at?: Date;
  } = {},
): Promise<string> {
  const role = options.role ?? "admin";
  const memberId = options.created_by ?? (await makeMember(role)).id;
  const key = `slc_${randomUUID()}${randomUUID()}`;
  await db.api_key.create({
    data: {
      name: `key ${unique()}`,
      prefix: key.slice(0, 8),
      last_characters: key.slice(-4),
      key_hash: hashKey(key),
      scopes: options.scopes ?? [...scopesOf(role)],
      stream_ids: options.stream_ids ?? [],
      created_by: memberId,
      expires_at: options.expires_at ?? null,
    },
  });
  return key;
}

/** A key with which a bot took a post today. Returns its id. */
export async function makeBotKey(lastUsed: Date, created_by?: number): Promise<number> {
  const key = await makeKey(created_by === undefined ? {} : { created_by });
  const { id } = await db.api_key.update({
    where: { key_hash: hashKey(key) },
    data: { last_used_at: lastUsed, last_asked_at: lastUsed },
  });
  await db.$executeRaw`INSERT INTO tally (kind, key, metric, at, n)
    VALUES ('bot_day', ${String(id)}, 'delivered', (now() AT TIME ZONE 'UTC')::date, 1)`;
  return id;
}

export async function makeStream(data: Partial<Prisma.streamCreateInput> = {}) {
  const hashtag = data.hashtag ?? `tag${unique()}x${randomUUID().slice(0, 8)}`;
  return db.stream.create({
    data: { instance: "mastodon.example", ...data, hashtag, hashtag_folded: foldHashtag(hashtag) },
  });
}

type PostData = Partial<Prisma.postUncheckedCreateInput>;

function postRow(data: PostData, cameBy: string | null | undefined): Prisma.postCreateManyInput {
  const n = unique();
  const username = data.author_username ?? `author${n}`;
  const instance = data.instance ?? "mastodon.example";
  const hashtags = (data.hashtags ?? ["cats"]) as string[];
  return {
    uri: `https://${instance}/users/${username}/statuses/${n}-${randomUUID()}`,
    url: `https://${instance}/@${username}/${n}`,
    content: `<p>Post number ${n}</p>`,
    plain_text: `Post number ${n}`,
    snippet: `Post number ${n}`,
    author_username: username,
    author_account: `@${username}@${instance}`,
    author_key: `${username}@${instance}`.toLowerCase(),
    instance,
    created_at: new Date(Date.now() - n * 1000),
    hashtags,
    hashtags_folded: hashtags.map(foldHashtag),
    stream_hashtag_folded: cameBy ? foldHashtag(cameBy) : null,
    media_count: Array.isArray(data.media) ? data.media.length : 0,
    // Its own server has just shown it.
    from_home: true,
    confirmed_at: new Date(),
    confirmed_by: instance,
    ...data,
  };
}

/** An unreviewed post by a new author, without media. */
export async function makePost(data: PostData = {}) {
  // Like a fetched post, it has its stream's hashtag.
  const stream = data.stream_id ? await db.stream.findUnique({ where: { id: data.stream_id } }) : null;
  return db.post.create({ data: postRow(data, data.stream_hashtag ?? stream?.hashtag) });
}

/** Ids of many posts of one statement, in order. */
export async function makePosts(
  count: number,
  dataOf: PostData | ((i: number) => PostData) = {},
): Promise<number[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const data = typeof dataOf === "function" ? dataOf(i) : dataOf;
    return postRow(data, data.stream_hashtag);
  });
  const made = await db.post.createManyAndReturn({ data: rows, select: { id: true } });
  return made.map(({ id }) => id);
}

export function picture(description: string | null = "a picture") {
  return {
    type: "image",
    url: "https://mastodon.example/m.jpg",
    preview_url: null,
    description,
    blurhash: null,
    width: 4,
    height: 3,
  };
}

export async function makePending(data: PostData = {}, approvedAt = new Date()) {
  const post = await makePost({ approved: true, reviewed_at: approvedAt, approved_at: approvedAt, ...data });
  await db.$transaction((tx) => enqueuePosts(tx, [post.id], approvedAt));
  return post;
}

/** As an edit by the author does. */
export async function editMedia(id: number, media: object[]): Promise<void> {
  await db.$transaction((tx) => forgetOldPictures(tx, [{ id, media, media_count: media.length }]));
  await db.post.update({ where: { id }, data: { media } });
}

/** Sets switches, and the holds of entries as a change of switches does. */
export async function setSwitches(data: Partial<Record<SwitchName, boolean>>): Promise<void> {
  await switches.set(data);
  await db.$executeRaw`
    UPDATE queue_entry SET holds = (holds & 127) | (hold_bits(author_key, tags, related, missing) & 896)
     WHERE state <> 'delivered'`;
}
