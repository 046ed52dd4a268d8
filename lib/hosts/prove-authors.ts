import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import type { NormaliseResult, NormalisedPost } from "#lib/fediverse/normalised-post.ts";
import { SourceFailure } from "#lib/fediverse/source-failure.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import { askWebFinger, sameAccount } from "#lib/fediverse/webfinger.ts";
import { addHandleChange } from "./domain-sql.ts";
import { noteActorHost, noteNoAnswer, readActorHosts, type ActorHostRow } from "./actor-hosts-sql.ts";

export interface ProveOptions {
  request: HostRequest;
  signal?: AbortSignal | undefined;
  /** The asked server: stored handles of its own authors are corrected once they are proven. */
  server?: { host: string; domain: string };
}

/** Limits the requests that a timeline of invented authors causes. */
const MAX_REQUESTS = 10;

export type AuthorProver = (entries: readonly NormaliseResult[]) => Promise<NormaliseResult[]>;

/** All calls together ask about at most ten authors. */
export function authorProver(options: ProveOptions): AuthorProver {
  let asks = MAX_REQUESTS;
  return (entries) => prove(entries, options, () => asks-- > 0);
}

/**
 * Accepts posts whose author has another domain (`unproven`) when WebFinger of the author names an actor on the post's
 * host. Authors not asked about yet are dropped as `author_unproven`; the next walk over the timeline brings them
 * again.
 */
async function prove(
  entries: readonly NormaliseResult[],
  options: ProveOptions,
  mayAsk: () => boolean,
): Promise<NormaliseResult[]> {
  const unproven = entries.flatMap((entry) => (entry.ok || !entry.unproven ? [] : [entry.unproven]));
  if (unproven.length === 0) return [...entries];
  const accounts = new Map(unproven.map((post) => [keyOf(post), post.author]));
  const known = new Map((await readActorHosts([...accounts.keys()])).map((row) => [row.account, row]));
  for (const [key, { username }] of accounts) {
    if (known.get(key)?.due === false) continue;
    if (!mayAsk()) break;
    const row = await ask(key, username, options);
    if (row !== null) known.set(key, row);
  }
  return entries.map((entry) => {
    if (entry.ok || entry.unproven === undefined) return entry;
    const post = entry.unproven;
    const row = known.get(keyOf(post));
    if (row?.answered !== true) return { ok: false, reason: "author_unproven", uri: entry.uri };
    const isNamed = row.actor_host !== null && row.actor_host === parseWebUrl(post.uri)?.host;
    return isNamed ? { ok: true, post } : { ok: false, reason: "hosts_disagree", uri: entry.uri };
  });
}

/** Null without an answer. */
async function ask(
  key: string,
  username: string,
  { request, signal, server }: ProveOptions,
): Promise<ActorHostRow | null> {
  const account = { username, host: key.slice(key.lastIndexOf("@") + 1) };
  try {
    const answer = await askWebFinger(account, { request, signal });
    const isSame = answer.kind === "named" && sameAccount(answer.account, account);
    const actorHost = isSame ? answer.actor_host : null;
    const isOwn = server !== undefined && server.domain !== server.host && account.host === server.domain;
    if (isOwn && actorHost === server.host)
      await addHandleChange(`${key.slice(0, key.lastIndexOf("@"))}@${server.host}`, key, server.host);
    await noteActorHost(key, actorHost);
    return { account: key, actor_host: actorHost, answered: true, due: false };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    // Otherwise nothing was sent.
    if (error.kind !== "wait" && error.kind !== "aborted") await noteNoAnswer(key);
    return null;
  }
}

function keyOf({ author }: NormalisedPost): string {
  return author.account.replace(/^@/, "").toLowerCase();
}
