import * as words from "#components/words/desk.ts";

export interface ConsentSign {
  tone: "approve" | "warn" | "reject" | "neutral";
  text: string;
}

/** Most important first. */
export function readConsent(consent: Record<string, unknown>): ConsentSign[] {
  const signs: ConsentSign[] = [];
  const say = (when: boolean, tone: ConsentSign["tone"], text: string) => {
    if (when) signs.push({ tone, text });
  };
  const tags = (value: unknown) =>
    Array.isArray(value) ? value.filter((tag): tag is string => typeof tag === "string") : [];
  const hashed = (list: string[]) => list.map((tag) => (tag.startsWith("#") ? tag : `#${tag}`)).join(" ");
  const refusals = tags(consent.refusal_tags);
  const optIns = tags(consent.opt_in_tags);
  say(refusals.length > 0, "reject", words.post.consentRefusal(hashed(refusals)));
  say(consent.can_announce === false, "reject", words.post.consentNoAnnounce);
  say(consent.noindex === true, "warn", words.post.consentNoindex);
  say(consent.indexable === false, "warn", words.post.consentNotIndexable);
  say(consent.discoverable === false, "neutral", words.post.consentNotDiscoverable);
  say(consent.limited === true, "warn", words.post.consentLimited);
  say(consent.group === true, "neutral", words.post.consentGroup);
  say(consent.profile_seen === false, "neutral", words.post.consentNoProfile);
  say(optIns.length > 0, "approve", words.post.consentOptIn(hashed(optIns)));
  return signs;
}
