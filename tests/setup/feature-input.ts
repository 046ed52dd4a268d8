import type { FeatureInput } from "#lib/checks/learner/features.ts";

/** A post without any feature. */
export const blankInput: FeatureInput = {
  html: "",
  text: "",
  hashtags: [],
  links: [],
  stream: null,
  language: null,
  media: [],
  has_alt_text: false,
  sensitive: false,
  is_bot: false,
  account_age_days: undefined,
  is_reply: false,
  mentions: 0,
  capitals_share: 0,
  exclamations: 0,
  rules: [],
};
