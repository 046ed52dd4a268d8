import { showsHashtags } from "#lib/fediverse/detect-software.ts";
import { isUnknownName } from "#lib/fediverse/fetch-failure.ts";
import type { SourceFailure } from "#lib/fediverse/source-failure.ts";
import type { PreviewProblem, StreamPreview } from "./preview-schema.ts";

export interface Asked {
  host: string;
  hashtag: string;
  /** By nodeinfo; null when it has none. */
  software: string | null;
  /** Another host that answered in its place. */
  leadsTo: string | null;
}

/** Failures of a host whose server has another name. */
const OF_WRONG_NAME = new Set(["not_found", "not_compatible", "unexpected", "needs_token"]);

/** The problem in one sentence, for the form. */
export function describeProblem(failure: SourceFailure, asked: Asked): NonNullable<StreamPreview["problem"]> {
  const code = codeOf(failure, asked);
  return { code, message: sentences[code]?.(asked) ?? failure.message };
}

function codeOf(failure: SourceFailure, { software, leadsTo }: Asked): PreviewProblem {
  if (leadsTo !== null && OF_WRONG_NAME.has(failure.kind)) return "redirects";
  switch (failure.kind) {
    case "wait":
      return "waiting";
    case "timeout":
    case "aborted":
      return "slow";
    case "unreachable":
      return isUnknownName(failure) ? "unknown_name" : "unreachable";
    case "refused":
      return "refused";
    case "rate_limited":
    case "server_error":
      return failure.kind;
    default:
      return software === null ? "not_fediverse" : codeOfAnswer(failure, software);
  }
}

function codeOfAnswer({ kind }: SourceFailure, software: string): PreviewProblem {
  if (!showsHashtags(software)) return "no_timelines";
  if (kind === "needs_token" || kind === "token_refused") return kind;
  return kind === "not_found" ? "hashtag_unknown" : "unreadable";
}

const sentences: Partial<Record<PreviewProblem, (asked: Asked) => string>> = {
  unknown_name: ({ host }) => `There is no server with the name ${host}.`,
  slow: ({ host }) => `${host} did not answer in time.`,
  redirects: ({ host, leadsTo }) => `${host} leads to ${leadsTo}: use that name.`,
  not_fediverse: ({ host }) => `${host} does not answer like a server of the fediverse.`,
  no_timelines: ({ host, software }) => `${host} runs ${software}, which shows no hashtags to other servers.`,
  hashtag_unknown: ({ host, hashtag }) => `${host} knows no posts with #${hashtag}.`,
  unreadable: ({ host }) => `${host} answered with something that is not a list of posts.`,
};
