import { z } from "zod";
import { Alert } from "#lib/alerts/schema.ts";
import { common } from "#lib/http/common-fields.ts";
import { isoTime, stringField } from "#lib/http/fields.ts";
import type { WebhookEvent } from "./schema.ts";

/* Messages to receivers, for the OpenAPI document. */

const headers = z.object({
  "webhook-id": stringField(
    "Id of the message; the same in every attempt.",
    "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11",
  ),
  "webhook-timestamp": stringField("Unix time of the attempt in seconds.", "1777896000"),
  "webhook-signature": stringField(
    "`v1,` and the Base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`; after a rotation two of them, with a space between.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
});

function message<T extends string>(type: T, id: string, summary: string, data: z.ZodObject) {
  const body = z
    .object({
      type: z.literal(type).describe("Kind of event."),
      timestamp: isoTime.describe("Time of the event."),
      data: data.describe("Ids and names; no text of posts."),
    })
    .meta({ id, description: `${summary}.` });
  return { summary, headers, body };
}

const FailingStream = z
  .object({ id: common.id, hashtag: common.hashtag, instance: common.instance, error: common.error })
  .meta({ id: "FailingStream" });

const alerts = z.object({ alerts: z.array(Alert).describe("These alerts.") });

export const webhookMessages = {
  "post.approved": message(
    "post.approved",
    "PostApprovedMessage",
    "Approved posts became available",
    z.object({
      post_ids: z.array(z.int()).describe("Their ids, without those that left the queue since."),
    }),
  ),
  "post.error": message(
    "post.error",
    "PostErrorMessage",
    "Consumers reported errors of posts",
    z.object({ post_ids: z.array(z.int()).describe("Their ids, without those that left that state since.") }),
  ),
  "post.withdrawn": message(
    "post.withdrawn",
    "PostWithdrawnMessage",
    "Posts that a consumer had were withdrawn, so that a bot undoes its boost",
    z.object({ post_ids: z.array(z.int()).describe("Their ids.") }),
  ),
  "queue.empty": message(
    "queue.empty",
    "QueueEmptyMessage",
    "The last post that could be handed out is gone",
    z.object({}),
  ),
  "stream.failing": message(
    "stream.failing",
    "StreamFailingMessage",
    "Streams fail and were not fetched for twice their interval",
    z.object({ streams: z.array(FailingStream).describe("These streams.") }),
  ),
  "key.silent": message(
    "key.silent",
    "KeySilentMessage",
    "Bots that received posts in the last 28 days made no request for two days",
    alerts,
  ),
  "backup.failed": message(
    "backup.failed",
    "BackupFailedMessage",
    "The nightly backup failed, or is older than two days",
    alerts,
  ),
  "alert.started": message("alert.started", "AlertStartedMessage", "Alerts of any kind started", alerts),
  "alert.ended": message("alert.ended", "AlertEndedMessage", "Alerts of any kind ended", alerts),
  test: message("test", "TestMessage", "A member or a key asked for a test message", z.object({})),
} satisfies Record<WebhookEvent | "test", ReturnType<typeof message>>;
