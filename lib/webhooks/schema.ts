import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { bodyId, isoTime, nullableString, stringField, text } from "#lib/http/fields.ts";

/** `test` is sent by a button only. */
export const webhookEvents = [
  "post.approved",
  "post.error",
  "post.withdrawn",
  "queue.empty",
  "stream.failing",
  "key.silent",
  "backup.failed",
  "alert.started",
  "alert.ended",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Events about the installation: a webhook with a key cannot have them. */
export const installationEvents: readonly WebhookEvent[] = ["backup.failed", "alert.started", "alert.ended"];

export const MAX_WEBHOOKS = 20;

const events = z.array(z.enum(webhookEvents)).min(1, "must name at least one event").max(20);
const name = text(100, 1).meta({ description: "Name for people.", example: "Boost bot" });
const url = text(2000, 1).meta({
  description: "Address that messages are sent to. Its host must be public, or in `ALLOWED_PRIVATE_HOSTS`.",
  example: "https://bot.example/sluice",
});

export const WebhookCreate = z
  .object({
    name,
    url,
    events: events.describe("Events to be told about."),
    api_key_id: bodyId.nullish().meta({
      description:
        "Key of a consumer: only its streams count, and the webhook ends with the key. Without one, events of every stream count. That, and a key of another member, needs the scope `manage`.",
      example: 4,
    }),
  })
  .meta({
    id: "WebhookCreate",
    example: {
      name: "Boost bot",
      url: "https://bot.example/sluice",
      events: ["post.approved"],
      api_key_id: 4,
    },
  });
export type WebhookCreate = z.output<typeof WebhookCreate>;

export const WebhookUpdate = z
  .object({
    name: name.optional(),
    url: url.optional(),
    events: events.optional().describe("Events to be told about."),
    enabled: z.boolean().optional().describe("True also ends a pause after failures."),
  })
  .meta({ id: "WebhookUpdate", example: { enabled: false } });
export type WebhookUpdate = z.output<typeof WebhookUpdate>;

const example = {
  id: 1,
  name: "Boost bot",
  url: "https://bot.example/sluice",
  events: ["post.approved" as const],
  api_key_id: 4,
  key_name: "Boost bot",
  created_by: "Ana",
  created_at: "2026-05-04T18:02:11.000Z",
  enabled: true,
  disabled_at: null,
  disabled_why: null,
  failing_since: null,
  last_success_at: "2026-05-04T19:40:11.120Z",
  old_secret_until: null,
  waiting: 0,
};

export const Webhook = z
  .object({
    id: common.id,
    name: common.name,
    url: common.url,
    events: z.array(z.enum(webhookEvents)).describe("Events that it is told about."),
    api_key_id: z
      .int()
      .nullable()
      .meta({ description: "Key that it belongs to; null for every stream.", example: 4 }),
    key_name: nullableString("Name of that key.", "Boost bot"),
    created_by: stringField("Name of the member who made it.", "Ana"),
    created_at: common.created_at,
    enabled: z.boolean().describe("Whether it is switched on."),
    disabled_at: isoTime.nullable().describe("Since when nothing is sent; null while enabled."),
    disabled_why: z
      .enum(["member", "failing", "gone"])
      .nullable()
      .describe("`failing`: five days without a success. `gone`: it answered 410."),
    failing_since: isoTime.nullable().describe("First failure after the latest success."),
    last_success_at: isoTime.nullable().describe("Latest answer with a 2xx status."),
    old_secret_until: isoTime
      .nullable()
      .describe("Until then messages are signed with the former secret too."),
    waiting: z.int().describe("Messages that are still to be delivered."),
  })
  .meta({ id: "Webhook", example });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: stringField("For checking signatures; not shown again.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
}).meta({
  id: "WebhookWithSecret",
  example: { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
});
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookDelivery = z
  .object({
    id: stringField(
      "The header `webhook-id`; the same in every attempt.",
      "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11",
    ),
    event: stringField("Kind of event.", "post.approved"),
    created_at: common.created_at,
    state: z
      .enum(["pending", "delivered", "failed", "canceled"])
      .describe("`canceled`: nothing was left to tell, or the webhook may not be told any more."),
    attempts: z.int().describe("Number of attempts."),
    next_attempt_at: isoTime.nullable().describe("When it is tried next; null when it is not."),
    last_attempt_at: isoTime.nullable().describe("Latest attempt; null before the first."),
    status: z.int().nullable().describe("HTTP status of the latest answer; null without one."),
    error: common.error,
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
