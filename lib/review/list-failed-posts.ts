import { db } from "#lib/base/db.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import type { FailedPost, FailedPosts, FailedQuery } from "./failed-schema.ts";
import { failedDuplicates, failedOfEachReason, failedOfReason, type FailedRow } from "./failed-sql.ts";
import { readPosts, type PostWithSwitches } from "./read-posts.ts";
import { serializePost } from "./serialize.ts";

/** Reasons, and posts of each, that the page of errors shows before a group is opened. */
const REASONS = 200;
const EACH = 3;

/** Posts in state `error`, newest report first. */
export async function listFailedPosts(query: FailedQuery): Promise<FailedPosts> {
  const rows = await rowsOf(query);
  const matched = rows.flatMap((row) => matchedId(row) ?? []);
  const posts = await readPosts(db, [...rows.map((row) => row.post_id), ...matched]);
  const items = rows.flatMap((row): FailedPost | [] => {
    const post = posts.get(row.post_id);
    if (post === undefined) return [];
    return {
      ...serializePost(post, post),
      content_snippet: row.snippet,
      reported_by: row.reported_by,
      timeouts: row.timeouts,
      matched: describeMatch(posts.get(matchedId(row) ?? 0)),
    };
  });
  return { items };
}

function rowsOf({ reason, duplicates, limit }: FailedQuery): Promise<FailedRow[]> {
  if (reason !== undefined) return failedOfReason(reason, limit);
  return duplicates === true ? failedDuplicates(limit) : failedOfEachReason(REASONS, EACH);
}

function matchedId({ matched }: FailedRow): number | null {
  const id = /^[1-9]\d{0,9}$/.test(matched ?? "") ? Number(matched) : 0;
  return id === 0 || id > MAX_ID ? null : id;
}

function describeMatch(post: PostWithSwitches | undefined): FailedPost["matched"] {
  if (post === undefined) return null;
  const { author_account, media_covered } = serializePost(post, post);
  return { post_id: post.id, author_account, media_covered };
}
