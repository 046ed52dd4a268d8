import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { text } from "#lib/base/http/fields.ts";
import { consentPolicy } from "#lib/fediverse/consent-schema.ts";
import { hashtagField } from "#lib/fediverse/hashtag.ts";

/* One table for API, row, audit log, export and form; see README.md. */

/** Keeps the definition's literal types. */
const setting = <
  Body extends z.ZodType,
  Stored extends z.ZodType<z.output<Body>>,
  const Form extends boolean,
>(definition: {
  description: string;
  /** In a request body. */
  body: Body;
  /** In a response and in the export. */
  stored: Stored;
  /** Null without a fixed default. */
  default: NoInfer<z.output<Body>> | null;
  /** Another valid value, for tests. */
  example: NoInfer<z.output<Body>>;
  /** A `filter` has a rule in lib/collect/stream-filters.ts. */
  use: "source" | "schedule" | "consent" | "filter" | "check";
  form: Form;
}) => definition;

/** An ISO 639 code; a region (`pt-BR`) is ignored in comparisons. */
const language = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i, "must be a language code such as en")
  .transform((code) => code.toLowerCase())
  .meta({ override: { type: "string" } });

function uniqueList(item: z.ZodType<string>, max: number) {
  return z
    .array(item)
    .max(max)
    .transform((items) => [...new Set(items)])
    .meta({ override: { type: "array", items: { type: "string" }, maxItems: max } });
}

const flag = { body: z.boolean(), stored: z.boolean() };
const list = z.array(z.string());

export const streamSettings = {
  hashtag: setting({
    description: "Hashtag without `#`.",
    body: hashtagField,
    stored: common.hashtag,
    default: null,
    example: "otters",
    use: "source",
    form: true,
  }),
  /** Default: DEFAULT_INSTANCE. */
  instance: setting({
    description: "Host name of the server.",
    body: text(300, 1).meta({ example: "mastodon.example" }),
    stored: common.instance,
    default: null,
    example: "pixelfed.example",
    use: "source",
    form: true,
  }),
  active: setting({
    description: "Whether the stream is fetched.",
    ...flag,
    default: true,
    example: false,
    use: "schedule",
    form: false,
  }),
  enable_scheduling: setting({
    description: "Whether the stream is fetched by itself.",
    ...flag,
    default: true,
    example: false,
    use: "schedule",
    form: true,
  }),
  fetch_interval_minutes: setting({
    description: "Minutes between two fetches.",
    body: z.int().min(5).max(1440),
    stored: z.int(),
    default: 60,
    example: 45,
    use: "schedule",
    form: true,
  }),
  consent_policy: setting({
    description: "Which authors the stream accepts.",
    body: consentPolicy,
    stored: consentPolicy,
    default: "moderate",
    example: "opt-in",
    use: "consent",
    form: true,
  }),
  require_media: setting({
    description: "Only posts with media.",
    ...flag,
    default: false,
    example: true,
    use: "filter",
    form: true,
  }),
  drop_replies: setting({
    description: "Whether replies are dropped.",
    ...flag,
    default: false,
    example: true,
    use: "filter",
    form: true,
  }),
  languages: setting({
    description: "Languages that are kept; empty for all.",
    body: uniqueList(language, 50),
    stored: list,
    default: [],
    example: ["de", "en"],
    use: "filter",
    form: true,
  }),
};

type Settings = typeof streamSettings;
export type StreamSetting = keyof Settings;
export type StreamSettings = { [Name in StreamSetting]: z.output<Settings[Name]["body"]> };

export type FormSetting = {
  [Name in StreamSetting]: Settings[Name]["form"] extends true ? Name : never;
}[StreamSetting];

export const settingNames = Object.keys(streamSettings) as StreamSetting[];

export function settingsShape<Side extends "body" | "stored">(side: Side) {
  return Object.fromEntries(
    settingNames.map((name) => [name, streamSettings[name][side].describe(streamSettings[name].description)]),
  ) as {
    [Name in StreamSetting]: Settings[Name][Side];
  };
}

export function pickSettings(row: StreamSettings): StreamSettings {
  return Object.fromEntries(settingNames.map((name) => [name, row[name]])) as StreamSettings;
}

export function withDefaults(
  given: Partial<StreamSettings> & Pick<StreamSettings, "hashtag" | "instance">,
): StreamSettings {
  return Object.fromEntries(
    settingNames.map((name) => [name, given[name] ?? streamSettings[name].default]),
  ) as StreamSettings;
}
