import { z } from "zod";
import { bodyId, isoTime, text } from "#lib/http/fields.ts";

/** `test` is sent by a button only. */
export const webhookEvents = ["post.approved", "queue.empty", "stream.failing"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const MAX_WEBHOOKS = 20;

const events = z.array(z.enum(webhookEvents)).min(1, "must name at least one event").max(10);
const name = text(100, 1).meta({ description: "Name for people.", example: "Boost bot" });
const url = text(2000, 1).meta({
  description: "Address that messages are sent to. Its host must be public, or in `ALLOWED_PRIVATE_HOSTS`.",
  example: "https://bot.example/sluice",
});

export const WebhookCreate = z
  .object({
    name,
    url,
    events: events.meta({ description: "Events to be told about." }),
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
    events: events.optional().meta({ description: "Events to be told about." }),
    enabled: z.boolean().optional().meta({ description: "True also ends a pause after failures." }),
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
    id: z.int(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEvents)).meta({ description: "Events that it is told about." }),
    api_key_id: z.int().nullable().meta({ description: "Key that it belongs to; null for every stream." }),
    key_name: z.string().nullable().meta({ description: "Name of that key.", example: "Boost bot" }),
    created_by: z.string(),
    created_at: isoTime,
    enabled: z.boolean().meta({ description: "Whether it is switched on." }),
    disabled_at: isoTime.nullable().meta({ description: "Since when nothing is sent; null while enabled." }),
    disabled_why: z
      .enum(["member", "failing", "gone"])
      .nullable()
      .meta({ description: "`failing`: five days without a success. `gone`: it answered 410." }),
    failing_since: isoTime.nullable().meta({ description: "First failure after the latest success." }),
    last_success_at: isoTime.nullable().meta({ description: "Latest answer with a 2xx status." }),
    old_secret_until: isoTime
      .nullable()
      .meta({ description: "Until then messages are signed with the former secret too." }),
    waiting: z.int().meta({ description: "Messages that are still to be delivered." }),
  })
  .meta({ id: "Webhook", example });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({
    description: "For checking signatures; not shown again.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
}).meta({
  id: "WebhookWithSecret",
  example: { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
});
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookDelivery = z
  .object({
    id: z.string().meta({ description: "The header `webhook-id`; the same in every attempt." }),
    event: z.string().meta({ description: "Kind of event.", example: "post.approved" }),
    created_at: isoTime,
    state: z.enum(["pending", "delivered", "failed", "canceled"]).meta({
      description: "`canceled`: nothing was left to tell, or the webhook may not be told any more.",
    }),
    attempts: z.int().meta({ description: "Number of attempts." }),
    next_attempt_at: isoTime.nullable().meta({ description: "When it is tried next; null when it is not." }),
    last_attempt_at: isoTime.nullable().meta({ description: "Latest attempt; null before the first." }),
    status: z.int().nullable().meta({ description: "HTTP status of the latest answer; null without one." }),
    error: z.string().nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
