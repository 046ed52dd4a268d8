export interface ConsentSign {
  tone: "approve" | "warn" | "reject" | "neutral";
  text: string;
}

/** Texts for consent signals, the most important first. */
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
  say(refusals.length > 0, "reject", `Refuses: ${hashed(refusals)}`);
  say(consent.can_announce === false, "reject", "Does not allow boosts");
  say(consent.noindex === true, "warn", "Profile opts out of search engines");
  say(consent.indexable === false, "warn", "Posts opt out of search");
  say(consent.discoverable === false, "neutral", "Not listed in the profile directory");
  say(consent.limited === true, "warn", "Limited by its own server");
  say(consent.group === true, "neutral", "Group account");
  say(consent.profile_seen === false, "neutral", "Profile could not be read");
  say(optIns.length > 0, "approve", `Agrees: ${hashed(optIns)}`);
  return signs;
}
