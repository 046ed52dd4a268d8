import type { Principal } from "#lib/auth/principal.ts";
import { now } from "#lib/clock.ts";
import { judgeConsent } from "#lib/consent/judge-consent.ts";
import type { ConsentSignals } from "#lib/consent/schema.ts";
import { db } from "#lib/db.ts";
import { mapInSlices } from "#lib/event-loop.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { detectSoftware, type DetectedSoftware } from "#lib/fediverse/detect-software.ts";
import { governedRequest } from "#lib/fediverse/governed-request.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { NormalisedPost, NormaliseResult } from "#lib/fediverse/normalised-post.ts";
import { SourceFailure, toSourceFailure } from "#lib/fediverse/source-failure.ts";
import { hashtagSource } from "#lib/fediverse/hashtag-source.ts";
import type { TimelinePage } from "#lib/fediverse/timeline.ts";
import { storedDomain } from "#lib/hosts/host-domain.ts";
import { hostStates } from "#lib/hosts/host-state.ts";
import { hostToken } from "#lib/hosts/host-token.ts";
import { normaliseInstance, requireInstance } from "#lib/hosts/instance.ts";
import { consentSettings } from "#lib/ingest/consent.ts";
import { streamRefuses } from "#lib/ingest/stream-filters.ts";
import { estimatePerDay } from "./estimate-rate.ts";
import { describeProblem } from "./preview-problem.ts";
import type { PreviewPost, StreamPreview } from "./preview-schema.ts";
import { countPreview } from "./preview-sql.ts";
import { remotePostFields } from "./remote-post.ts";
import type { StreamCreate } from "./schema.ts";
import { withDefaults, type StreamSettings } from "./settings-schema.ts";

/** Previews of a member in a window. */
const MOST = 12;
const WINDOW_SECONDS = 60;
/** All requests, and the wait for the host's governor. */
const TIMEOUT_MS = 15_000;
const MAX_WAIT_MS = 4_000;
const SHOWN = 10;

type Findings = Omit<StreamPreview, "hashtag" | "instance" | "existing_stream_id" | "has_token">;

/**
 * Asks the server for its software and the newest page of the hashtag: at most four requests, through the guarded client
 * and the host's governor. Stores nothing but the governor's limits.
 *
 * @throws ApiError 422 for an instance that is not a public host, `too_many_previews` with `Retry-After`
 */
export async function previewStream(principal: Principal, body: StreamCreate): Promise<StreamPreview> {
  const instance = requireInstance(body.instance ?? env().DEFAULT_INSTANCE);
  const settings = withDefaults({ ...body, instance });
  await allowPreview(principal.member_id);
  const [token, existing] = await Promise.all([
    hostToken(instance),
    db.stream.findUnique({
      where: { hashtag_folded_instance: { hashtag_folded: foldHashtag(settings.hashtag), instance } },
      select: { id: true },
    }),
  ]);
  return {
    hashtag: settings.hashtag,
    instance,
    has_token: token !== null,
    existing_stream_id: existing?.id ?? null,
    ...(await look(settings, token)),
  };
}

async function allowPreview(memberId: number): Promise<void> {
  const { used, wait_seconds } = await countPreview(memberId, WINDOW_SECONDS);
  if (used <= MOST) return;
  throw new ApiError(
    "too_many_previews",
    {},
    { headers: { "Retry-After": String(Math.max(1, wait_seconds)) } },
  );
}

const noFindings: Findings = {
  works: false,
  problem: null,
  suggested_instance: null,
  software: null,
  version: null,
  posts: [],
  read: 0,
  left_out: {},
  known: 0,
  posts_per_day: null,
};

async function look(settings: StreamSettings, token: string | null): Promise<Findings> {
  const { instance: host, hashtag } = settings;
  const led: Led = { to: null, last: host };
  const request = noteRedirects(governedRequest({ store: hostStates, maxWaitMs: MAX_WAIT_MS }), host, led);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let software: DetectedSoftware | null = null;
  try {
    software = await detectSoftware(host, request, { signal });
    const names = await storedDomain(host);
    const page = await hashtagSource({ host, ...names, hashtag, software, token, request }).fetchPage(
      null,
      signal,
    );
    if (led.last !== host) throw new SourceFailure("not_compatible", `${host} leads to ${led.last}.`);
    return { ...noFindings, ...about(software), works: true, ...(await describePage(page, settings)) };
  } catch (error) {
    const failure = toSourceFailure(error);
    if (!(failure instanceof SourceFailure)) throw failure;
    const suggested = suggestion(led.to);
    const problem = describeProblem(failure, {
      host,
      hashtag,
      software: software?.name ?? null,
      leadsTo: suggested,
    });
    return {
      ...noFindings,
      ...about(software),
      problem,
      suggested_instance: problem.code === "redirects" ? suggested : null,
    };
  }
}

function about(software: DetectedSoftware | null): Pick<Findings, "software" | "version"> {
  return { software: software?.name ?? null, version: software?.version ?? null };
}

interface Led {
  /** Another host that answered. */
  to: string | null;
  /** The host of the last answer. */
  last: string;
}

/** A host that leads elsewhere is the domain of accounts, or an old name. */
function noteRedirects(request: HostRequest, host: string, led: Led): HostRequest {
  return async (url, options) => {
    const response = await request(url, options);
    const lastHost = new URL(response.url).host;
    led.last = lastHost;
    if (lastHost !== host) led.to ??= lastHost;
    return response;
  };
}

function suggestion(host: string | null): string | null {
  const check = host === null ? null : normaliseInstance(host);
  return check?.ok === true ? check.host : null;
}

type PageFindings = Pick<Findings, "posts" | "read" | "left_out" | "known" | "posts_per_day">;

/** Passes on only the reason of a post that would be dropped. */
async function describePage(page: TimelinePage, settings: StreamSettings): Promise<PageFindings> {
  const posts: PreviewPost[] = [];
  const times: { created_at: string; kept: boolean }[] = [];
  const leftOut: Record<string, number> = {};
  const kept: string[] = [];
  for (const judged of await mapInSlices(page.posts, (entry) => judge(entry, settings))) {
    if (judged.reason !== null) leftOut[judged.reason] = (leftOut[judged.reason] ?? 0) + 1;
    else if (posts.length < SHOWN) posts.push(serialise(judged.post, judged.signals));
    if (judged.reason === null) kept.push(judged.post.uri);
    if (judged.post) times.push({ created_at: judged.post.created_at, kept: judged.reason === null });
  }
  return {
    posts,
    read: page.posts.length,
    left_out: leftOut,
    known: await db.post.count({ where: { uri: { in: kept } } }),
    posts_per_day: estimatePerDay(times, now()),
  };
}

type Judged =
  | { reason: null; post: NormalisedPost; signals: ConsentSignals }
  | { reason: string; post: NormalisedPost | null };

function judge(entry: NormaliseResult, settings: StreamSettings): Judged {
  if (!entry.ok) return { reason: entry.reason, post: null };
  const { post } = entry;
  const verdict = judgeConsent(post, consentSettings(settings));
  if (verdict.verdict === "drop") return { reason: verdict.rule, post };
  const reason = streamRefuses(post, settings);
  return reason === null ? { reason, post, signals: verdict.signals } : { reason, post };
}

function serialise(post: NormalisedPost, consent: ConsentSignals): PreviewPost {
  return {
    ...remotePostFields(post),
    content_snippet: post.snippet,
    media: post.media.map(({ type, description }) => ({ type, described: description !== null })),
    consent,
  };
}
