import { env } from "#lib/base/env.ts";
import type { ConsentPolicy } from "#lib/fediverse/consent-schema.ts";
import { homeHost } from "#lib/fediverse/fetch-post-at-source.ts";
import {
  type AuthorRefusal,
  type ConsentSettings,
  type DropRule,
  judgeAuthor,
  judgeConsent,
} from "#lib/fediverse/judge-consent.ts";
import type { NormalisedAuthor, NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import type { Refusal } from "./forget-authors.ts";
import { keyOfAuthor } from "./post-row.ts";

export interface ConsentTerms {
  consent_policy: ConsentPolicy;
}

export function consentSettings(stream: ConsentTerms): ConsentSettings {
  const { REFUSAL_TAGS, OPT_IN_TAGS } = env();
  return {
    policy: stream.consent_policy,
    refusal_tags: REFUSAL_TAGS,
    opt_in_tags: OPT_IN_TAGS,
  };
}

/** Rules by which the author refuses. The other rules depend on the policy of the stream. */
const authorRules: readonly string[] = [
  "visibility",
  "refusal_tag",
  "refusal_tag_on_post",
  "quote_refused",
  "announce_refused",
  "noindex",
] satisfies (DropRule | "visibility")[];

export function isAuthorRule(rule: string): rule is DropRule {
  return authorRules.includes(rule);
}

/** A later refusal withdraws one post or all posts of its author. Null: no refusal. */
export type Withdrawal = { of: "post"; rule: DropRule } | { of: "author"; rule: AuthorRefusal } | null;

/**
 * Judges a known post by the policy under which it was accepted. A suspended, moved or memorial account is no withdrawal.
 */
export function judgeAgain(
  post: NormalisedPost,
  taken: ConsentTerms,
): { withdrawal: Withdrawal; signals: ReturnType<typeof judgeConsent>["signals"] } {
  const { verdict, rule, signals, author_refusal } = judgeConsent(post, consentSettings(taken));
  if (author_refusal !== null) return { withdrawal: { of: "author", rule: author_refusal }, signals };
  const isWithdrawn = verdict === "drop" && (isAuthorRule(rule) || rule === "not_opted_in");
  return { withdrawal: isWithdrawn ? { of: "post", rule } : null, signals };
}

/** The refusal for `forgetAuthors`, if the post's own server showed this author. */
export function refusalOf(author: NormalisedAuthor, uri: string, rule: AuthorRefusal): Refusal {
  return { author_key: keyOfAuthor(author), uri_host: homeHost(uri) ?? "", rule };
}

/** Refusals on the profile that the post's own server shows beside a post that is not public or cannot be read. */
export function refusalsBeside(
  uri: string,
  author: NormalisedAuthor | undefined,
  terms: ConsentTerms,
): Refusal[] {
  const rule = author === undefined ? null : judgeAuthor(author, consentSettings(terms));
  return author === undefined || rule === null ? [] : [refusalOf(author, uri, rule)];
}
