import { streamFields } from "./stream-settings.ts";

const hashtag = streamFields.hashtag.error;
const server = streamFields.instance.error;
const note = "Use at most 2000 characters.";
const onOff = "Switch it on or off.";
const email = "Enter an e-mail address such as ben@example.org.";
const personName = "Enter a name of at most 100 characters.";
const password = "Use 10 to 256 characters that are not easy to guess, such as a sentence of your own.";
const role = "Choose a role.";
const keptDays = "Enter a whole number of days from 1 to 36,500, or leave it empty to keep the posts.";
const keptHistory = "Enter a whole number of days from 92 to 36,500, or leave it empty to keep the history.";
const countedBefore = "The count is too old. Open this again.";
const nothingChanged = "Change something first.";

const streamFieldErrors = Object.fromEntries(
  Object.entries(streamFields).map(([name, field]) => [name, "error" in field ? field.error : onOff]),
) as Record<keyof typeof streamFields, string>;

/**
 * Errors by form and field of its request; `form` is for the fields together. Each field has one sentence for all its
 * errors, which says the valid input.
 */
export const fieldErrors = {
  stream: {
    form: nothingChanged,
    active: onOff,
    ...streamFieldErrors,
  },
  topicalTag: {
    form: "Choose a weekday or a date.",
    hashtag,
    topical_day_of_week: "Choose a day of the week.",
    topical_month_day: "Enter month and day, such as 10-04.",
  },
  blockedUser: {
    form: nothingChanged,
    account_identifier: "Enter an account such as @ana@mastodon.social, or for other matches a part of one.",
    pattern_type: "Choose how accounts are matched.",
    subdomains: onOff,
    notes: note,
  },
  blockedHashtag: { form: nothingChanged, hashtag, notes: note },
  rejectReason: {
    form: nothingChanged,
    label: "Enter a name of at most 80 characters.",
  },
  blockedWord: {
    form: nothingChanged,
    word: "Enter a word or phrase of at most 100 characters.",
    stream_id: "Choose a stream of the list.",
  },
  serverToken: {
    form: nothingChanged,
    instance: server,
    token: "Paste the whole access token, without spaces.",
  },
  invitation: { form: nothingChanged, email, role },
  account: { form: nothingChanged, email, name: personName, password, role },
  profile: {
    form: nothingChanged,
    name: personName,
    time_zone: "Choose a time zone of the list.",
    theme: "Choose one of the themes.",
    preferences: "Choose one of the settings shown.",
    sign_in_with: "Choose one of the services shown.",
  },
  passwordChange: {
    form: nothingChanged,
    current_password: "Enter your current password.",
    new_password: password,
    revoke_keys: onOff,
  },
  apiKey: {
    form: nothingChanged,
    name: personName,
    scopes: "Choose at least one permission.",
    stream_ids: "Choose at least one stream, or all.",
    expires_at: "Choose a day in the future.",
  },
  retention: {
    form: nothingChanged,
    rejected_days: keptDays,
    unreviewed_days: keptDays,
    failed_days: keptDays,
    history_days: keptHistory,
    preview: countedBefore,
  },
  errorGroup: {
    form: nothingChanged,
    reason: "Choose a group of the list.",
    limit: "Enter a whole number from 1 to 1000.",
    preview: countedBefore,
  },
  cleanup: {
    form: "Enter a whole number of days, 0 or more.",
    retention_days: "Enter a whole number of days, 0 or more.",
  },
  trim: {
    form: "Enter a whole number of days, 1 or more.",
    lookback_days: "Enter a whole number of days, 1 or more.",
  },
} as const satisfies Record<string, { form: string } & Record<string, string>>;
