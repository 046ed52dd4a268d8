import { type ConsentSettings, type DropRule, judgeConsent } from "#lib/consent/judge-consent.ts";
import type { ConsentPolicy } from "#lib/consent/schema.ts";
import { env } from "#lib/env.ts";
import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";
import { textsOf } from "./post-texts.ts";

export function consentSettings(stream: {
  consent_policy: ConsentPolicy;
  consent_list: string[];
}): ConsentSettings {
  const { REFUSAL_TAGS, OPT_IN_TAGS } = env();
  return {
    policy: stream.consent_policy,
    refusal_tags: REFUSAL_TAGS,
    opt_in_tags: OPT_IN_TAGS,
    consenting_accounts: stream.consent_list,
  };
}

/** The author's own refusals; the other rules depend on the policy. */
const will: readonly string[] = [
  "visibility",
  "refusal_tag",
  "refusal_tag_on_post",
  "announce_refused",
  "noindex",
] satisfies (DropRule | "visibility")[];

export function isWill(rule: string): boolean {
  return will.includes(rule);
}

/** Scope of a later refusal. */
export type Withdrawal = { of: "post" | "author"; rule: DropRule } | null;

/** By the policy the post was accepted under. A suspended, moved or memorial account is no withdrawal. */
export function judgeAgain(
  post: NormalisedPost,
  taken: { consent_policy: ConsentPolicy; consent_list: string[] },
): { withdrawal: Withdrawal; signals: ReturnType<typeof judgeConsent>["signals"] } {
  const { verdict, rule, signals } = judgeConsent(post, consentSettings(taken), textsOf(post).tags);
  if (verdict === "keep") return { withdrawal: null, signals };
  if (rule === "refusal_tag" || rule === "noindex") return { withdrawal: { of: "author", rule }, signals };
  if (isWill(rule) || rule === "not_indexable" || rule === "not_discoverable" || rule === "not_opted_in") {
    return { withdrawal: { of: "post", rule }, signals };
  }
  return { withdrawal: null, signals };
}
