import { servicePrincipal } from "#lib/auth/principal.ts";
import { env } from "#lib/env.ts";
import { createStream } from "#lib/streams/change-streams.ts";
import { fetchAll, fetchStream } from "#lib/streams/fetch-streams.ts";
import { listStreams } from "#lib/streams/read-streams.ts";
import { type Stream, StreamCreate } from "#lib/streams/schema.ts";
import { type ApplicationCommand, parseId, parseOptions, type Reply, table } from "./reply.ts";

export const streamCommands: Record<string, ApplicationCommand> = {
  "streams list": async () => {
    const items = await allStreams();
    const rows = items.map((stream) => [
      String(stream.id),
      `#${stream.hashtag}`,
      stream.instance,
      stream.state,
      stream.last_fetch ?? "never",
      stream.last_error ?? "",
    ]);
    const head = ["Id", "Hashtag", "Server", "State", "Last fetch", "Error"];
    return { data: { items }, lines: table(head, rows) };
  },
  "streams add": async ({ values: { hashtag, instance } }) => {
    const stream = await createStream(servicePrincipal, parseOptions(StreamCreate, { hashtag, instance }));
    return {
      data: stream,
      lines: [`Added the stream ${stream.id}: #${stream.hashtag} on ${stream.instance}.`],
    };
  },
  "streams fetch": async ({ values: { id } }) => (id === undefined ? fetchEvery() : fetchOne(parseId(id))),
};

async function fetchOne(id: number): Promise<Reply> {
  const result = await fetchStream(id, { limit: env().MAX_POSTS_PER_FETCH });
  return { data: result, lines: [`Stream ${id}: ${result.new} new posts.`] };
}

async function fetchEvery(): Promise<Reply> {
  const result = await fetchAll({ wait: true });
  const lines = result.streams.map(
    (stream) => `Stream ${stream.stream_id}: ${stream.error ?? `${stream.new} new posts.`}`,
  );
  const summary = `${result.new} new posts, ${result.errors} errors, ${result.pending} streams left to the worker.`;
  return { data: result, lines: [...lines, summary], isFailure: result.errors > 0 };
}

export async function allStreams(): Promise<Stream[]> {
  const items: Stream[] = [];
  for (;;) {
    const page = await listStreams({ skip: items.length, limit: 500 });
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.total) return items;
  }
}
