import { z } from "zod";

/** docs/fediverse.md#policies-of-a-stream */
export const consentPolicy = z.enum(["moderate", "opt-in"]);
export type ConsentPolicy = z.infer<typeof consentPolicy>;

const approval = z.object({ automatic: z.array(z.string()), manual: z.array(z.string()) });

/** Shown to reviewers; no content. */
export const consentSignals = z.object({
  policy: consentPolicy,
  /** False: the server states none but showed the post anonymously. */
  visibility_stated: z.boolean(),
  /** False: the profile could not be read. */
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
