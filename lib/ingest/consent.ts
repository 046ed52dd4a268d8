import { type ConsentSettings, type DropRule, judgeConsent } from "#lib/consent/judge-consent.ts";
import type { ConsentPolicy } from "#lib/consent/schema.ts";
import { env } from "#lib/env.ts";
import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";

/** The consent rules of a stream, with the operator's own tags. */
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

/** Rules that are an author's own no, whatever a stream's policy asks for. */
const will: readonly string[] = [
  "visibility",
  "refusal_tag",
  "refusal_tag_on_post",
  "announce_refused",
  "noindex",
] satisfies (DropRule | "visibility")[];

/** Whether a rule is the author's own no; the others only say that a stream asks for more than there is. */
export function isWill(rule: string): boolean {
  return will.includes(rule);
}

/** What an author who changed their mind takes back: this post, everything of theirs, or nothing. */
export type Withdrawal = { of: "post" | "author"; rule: DropRule } | null;

/**
 * A stored post, seen again in its home server's words: does it still have its author's consent, judged by the
 * policy it was taken in by? An account that was suspended, moved or became a memorial takes nothing back.
 */
export function judgeAgain(
  post: NormalisedPost,
  taken: { consent_policy: ConsentPolicy; consent_list: string[] },
): { withdrawal: Withdrawal; signals: ReturnType<typeof judgeConsent>["signals"] } {
  const { verdict, rule, signals } = judgeConsent(post, consentSettings(taken));
  if (verdict === "keep") return { withdrawal: null, signals };
  if (rule === "refusal_tag" || rule === "noindex") return { withdrawal: { of: "author", rule }, signals };
  if (isWill(rule) || rule === "not_indexable" || rule === "not_discoverable" || rule === "not_opted_in") {
    return { withdrawal: { of: "post", rule }, signals };
  }
  return { withdrawal: null, signals };
}
