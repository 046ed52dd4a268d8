import { now } from "#lib/clock.ts";
import { governedRequest } from "#lib/fediverse/governed-request.ts";
import { homeHost, fetchPostAtSource } from "#lib/fediverse/fetch-post-at-source.ts";
import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import { readStatus } from "#lib/fediverse/read-status.ts";
import { SourceFailure, remoteError, toSourceFailure } from "#lib/fediverse/source-failure.ts";
import { ApiError } from "#lib/errors.ts";
import { getReply, type Reply } from "#lib/posts/read-posts.ts";
import { hostSoftware, hostStates } from "#lib/hosts/host-state.ts";
import { hostDomain, hostToAsk } from "#lib/hosts/host-domain.ts";
import { hostToken } from "#lib/hosts/host-token.ts";
import { remotePostFields } from "./remote-post.ts";
import type { Parent } from "./schema.ts";

/** With the governor's pause. */
const TIMEOUT_MS = 12_000;
const MAX_WAIT_MS = 4_000;

/**
 * Not stored: the parent's author has not consented.
 *
 * @throws ApiError `post_not_found`; `remote_waiting`, `remote_timeout`, `remote_failed` as for a fetch
 */
export async function showParent(postId: number): Promise<Parent> {
  const reply = await getReply(postId);
  const home = homeHost(reply.uri);
  if (reply.in_reply_to === null || home === null) return { outcome: "no_reply", post: null };
  try {
    return await ask(await hostToAsk(home), reply);
  } catch (error) {
    const failure = toSourceFailure(error);
    if (!(failure instanceof SourceFailure)) throw failure;
    if (failure.kind === "not_found") return { outcome: "gone", post: null };
    throw remoteError(failure);
  }
}

async function ask(host: string, reply: Reply): Promise<Parent> {
  const request = governedRequest({ store: hostStates, maxWaitMs: MAX_WAIT_MS });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const software = await hostSoftware(host, request, signal);
  const names = await hostDomain(host, software, { request, signal });
  const token = await hostToken(host);
  const options = { host, ...names, software, token, request, signal };
  let id = reply.in_reply_to;
  if (!reply.from_home) {
    // A copy has the parent id of its sender; the home server has its own.
    const outcome = await fetchPostAtSource({ ...options, uri: reply.uri, url: reply.url });
    if (outcome.kind !== "seen")
      throw new ApiError("remote_failed", { message: `${host} does not show the post itself.` });
    id = outcome.post.in_reply_to;
  }
  if (id === null) return { outcome: "no_reply", post: null };
  const status = await readStatus(host, id, options);
  const result = normaliseStatus(status, { host, ...names, now: now(), with_token: token !== null });
  if (result.ok) return { outcome: "shown", post: serialise(result.post) };
  if (result.reason === "not_public") return { outcome: "not_public", post: null };
  throw new ApiError("remote_failed", { message: `${host} answered with a post that cannot be read.` });
}

function serialise(post: NormalisedPost): NonNullable<Parent["post"]> {
  return {
    ...remotePostFields(post),
    content: post.content_html,
    media: post.media.map(({ type, description }) => ({ type, description })),
  };
}
