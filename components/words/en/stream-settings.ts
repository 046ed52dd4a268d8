import type { FormSetting, StreamSettings } from "#lib/collect/settings-schema.ts";
import type { FilterReason } from "#lib/collect/stream-filters.ts";

/** `error` says the valid input; a switch needs none. */
type FieldWords<Value> = { label: string; hint?: string } & ([Value] extends [boolean]
  ? { error?: string }
  : { error: string });

/** In the order of the form. */
export const streamFields = {
  hashtag: {
    label: "Hashtag",
    hint: "With or without #",
    error: "Enter one hashtag without spaces or signs, such as photography.",
  },
  instance: {
    label: "Server",
    hint: "Host name, such as mastodon.social",
    error: "Enter the name of a server on the public internet, such as mastodon.social.",
  },
  fetch_interval_minutes: {
    label: "Fetched every (minutes)",
    hint: "5 to 1440",
    error: "Enter a whole number of minutes from 5 to 1440.",
  },
  languages: {
    label: "Languages",
    hint: "Codes such as en, de. Leave empty for all languages.",
    error: "Enter language codes such as en or de, at most 50.",
  },
  enable_scheduling: { label: "Fetch on schedule" },
  require_media: { label: "Only posts with media" },
  drop_replies: { label: "Skip replies" },
  consent_policy: { label: "Consent policy", error: "Choose one of the policies." },
} satisfies { [Name in FormSetting]: FieldWords<StreamSettings[Name]> };

/** Why a filter of a stream skipped a post. */
export const filterReasons: Record<FilterReason, string> = {
  no_media: "No media",
  reply: "Reply",
  language: "Another language",
};
