import { z } from "zod";

/** docs/fediverse.md#policies-of-a-stream */
export const consentPolicy = z.enum(["moderate", "opt-in"]);
export type ConsentPolicy = z.infer<typeof consentPolicy>;

const approval = z.object({ automatic: z.array(z.string()), manual: z.array(z.string()) });

/** Signals that reviewers see. They have no content of the post. */
export const consentSignals = z.object({
  policy: consentPolicy,
  /** False if the server stated no visibility but showed the post to an anonymous reader. */
  visibility_stated: z.boolean(),
  /** False if the profile could not be read. */
  profile_seen: z.boolean(),
  refusal_tags: z.array(z.string()),
  opt_in_tags: z.array(z.string()),
  noindex: z.boolean().nullable(),
  indexable: z.boolean().nullable(),
  discoverable: z.boolean().nullable(),
  bot: z.boolean(),
  locked: z.boolean(),
  group: z.boolean(),
  limited: z.boolean(),
  sensitive: z.boolean(),
  content_warning: z.boolean(),
  reply: z.boolean(),
  quote: z.boolean(),
  can_announce: z.boolean().nullable(),
  quote_approval: approval.nullable(),
  feature_approval: approval.nullable(),
});
export type ConsentSignals = z.infer<typeof consentSignals>;
