import { compactRows, streamPostRows, type StreamPosts } from "./sql.ts";

export type { StreamPosts } from "./sql.ts";

const BATCH = 20_000;

/** Compacts until few facts are left or the deadline has passed. Concurrent calls run one after the other. */
export async function compactFigures(deadline: Date): Promise<{ compacted: number }> {
  let compacted = 0;
  for (;;) {
    const n = await compactRows(BATCH);
    compacted += n;
    if (n < BATCH || Date.now() >= deadline.getTime()) return { compacted };
  }
}

/** By stream; a stream that never had a post is left out. */
export async function countStreamPosts(ids: number[]): Promise<Map<number, StreamPosts>> {
  return new Map((await streamPostRows(ids)).map((row) => [row.stream_id, row]));
}
