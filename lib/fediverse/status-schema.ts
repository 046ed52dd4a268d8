import { z } from "zod";
import {
  anything,
  count,
  flag,
  futureMoment,
  id,
  list,
  optional,
  optionalCount,
  optionalText,
  readObject,
  readText,
  text,
  tristate,
  webUrl,
} from "./lenient.ts";

/* A status of Mastodon's API. Any field may be missing or of a wrong type; html is not sanitised yet. */

const pixels = count.transform((size) => (size > 0 && size <= 1_000_000 ? size : null));
const size = { width: pixels, height: pixels };

/** Attachments without an address are skipped. */
const medium = z
  .object({
    /** Some servers send a MIME type instead of Mastodon's words. */
    type: z
      .string()
      .transform((type) => type.toLowerCase().split("/")[0])
      .pipe(z.enum(["image", "gifv", "video", "audio", "unknown"]))
      .catch("unknown"),
    url: webUrl,
    remote_url: webUrl,
    preview_url: webUrl,
    description: optionalText(10_000),
    blurhash: optional(z.string().regex(/^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,100}$/)),
    meta: optional(z.object({ ...size, original: optional(z.object(size)) })),
  })
  .transform(({ remote_url, meta, ...given }) => {
    const url = given.url ?? remote_url ?? given.preview_url;
    const { width, height } = meta?.original ?? meta ?? { width: null, height: null };
    return url === null ? null : { ...given, url, width, height };
  });

const poll = z
  .object({
    options: list(
      z
        .object({ title: text(500), votes_count: optionalCount })
        .transform(({ title, votes_count: votes }) => ({ title, votes })),
      50,
    ),
    multiple: flag,
    expires_at: futureMoment,
    expired: flag,
    votes_count: count,
    voters_count: optionalCount,
  })
  .transform(({ votes_count: votes, voters_count: voters, ...given }) =>
    given.options.length === 0 ? null : { ...given, votes, voters },
  );

const card = z
  .object({
    url: webUrl,
    title: text(500),
    description: text(2_000),
    type: optionalText(20).transform((type) => type ?? "link"),
    provider_name: text(200),
    image: webUrl,
  })
  .transform(({ url, ...given }) => (url === null ? null : { url, ...given }));

const emojis = list(
  z
    .object({ shortcode: optionalText(100), static_url: webUrl, url: webUrl })
    .transform(({ shortcode, static_url, url }) => {
      const address = static_url ?? url;
      return shortcode === null || address === null ? null : { shortcode, url: address };
    }),
  100,
);

const words = list(optionalText(2_048), 50);
const approval = optional(z.object({ automatic: words, manual: words }));

/** Whether the policy permits it to everybody. Manual approval does not count. GoToSocial before 0.20 says `always`. */
const permission = optional(
  z
    .object({ automatic_approval: anything, always: anything })
    .transform(({ automatic_approval, always }) =>
      [automatic_approval, always].filter((given) => Array.isArray(given)),
    )
    .transform((lists) => (lists.length === 0 ? null : lists.some((given) => given.includes("public")))),
);

const names = list(
  z.transform((tag) => readText(readObject(tag)?.["name"] ?? tag, 255)),
  1_000,
);
/** Hashtags; null without a list. */
const tags = z.transform((given) =>
  typeof given === "object" && given !== null ? names.parse(given) : null,
);

const fieldList = list(z.object({ name: text(2_000), value: text(10_000) }), 32);
/** Fields of a profile, which may contain refusing hashtags. Some servers send an object. */
const fields = z.transform((given) => {
  const listed = fieldList.parse(given);
  if (listed.length > 0) return listed;
  const named = Object.entries(readObject(given) ?? {}).map(
    ([name, value]) => readObject(value) ?? { name, value },
  );
  return fieldList.parse(named);
});

export const Account = z.object({
  id,
  acct: optionalText(600),
  username: optionalText(600),
  display_name: optionalText(500),
  url: webUrl,
  avatar_static: webUrl,
  avatar: webUrl,
  bot: flag,
  locked: flag,
  created_at: anything,
  /** Bio; null when the profile was not shown. */
  note: optional(z.string().transform((note) => readText(note, 50_000))),
  fields,
  emojis,
  noindex: tristate,
  indexable: tristate,
  discoverable: tristate,
  group: flag,
  limited: flag,
  suspended: flag,
  memorial: flag,
  /** Mastodon sends the new account, others a flag or an address. */
  moved: z.transform(Boolean),
  /** Whether the account may be listed in collections. */
  feature_approval: approval,
});

const quoted = { uri: webUrl, url: webUrl, account: optional(Account), content: text(10_000), tags };
/** Mastodon 4.5 sends `{state, quoted_status}`; Akkoma and Fedibird send the bare status. */
const quote = optional(
  z
    .object({ ...quoted, state: optionalText(50), quoted_status: z.object(quoted).nullish().catch(null) })
    .transform(({ state, quoted_status, ...bare }) => ({
      state: state ?? "accepted",
      status: state === null && quoted_status === undefined ? bare : (quoted_status ?? null),
    })),
);

const raw = z
  .string()
  .nullish()
  .catch("")
  .transform((value) => value ?? "");

export const Status = z.object({
  id,
  uri: raw,
  url: webUrl,
  created_at: anything,
  edited_at: anything,
  visibility: anything,
  /** Hometown, glitch-soc and GoToSocial: stays on its server. */
  local_only: flag,
  reblog: z.transform(Boolean),
  account: optional(Account),
  content: raw,
  spoiler_text: text(5_000).transform((warning) => warning.trim()),
  /** A BCP 47 tag; `und` means unknown. */
  language: text(35)
    .transform((code) => code.trim())
    .transform((code) => (/^(?!und$)[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/i.test(code) ? code : null)),
  sensitive: flag,
  tags,
  media_attachments: list(medium, 32),
  reblogs_count: count,
  favourites_count: count,
  replies_count: optionalCount,
  /** Pixelfed only. */
  reply_count: count,
  in_reply_to_id: id,
  in_reply_to_account_id: id,
  poll: optional(poll),
  quote,
  pleroma: optional(z.object({ quote })),
  card: optional(card),
  emojis,
  /** GoToSocial only. */
  interaction_policy: optional(z.object({ can_reblog: permission, can_announce: permission })),
  /** Mastodon 4.5. */
  quote_approval: approval,
});
export type Status = z.output<typeof Status>;
export type Account = z.output<typeof Account>;
