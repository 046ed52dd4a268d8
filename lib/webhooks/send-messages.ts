import { describeAlerts } from "#lib/alerts/watch-alerts.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { servicePrincipal, type Owner, type Principal } from "#lib/auth/principal.ts";
import { sleep, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { FetchFailure, guardedFetch } from "#lib/fediverse/guarded-fetch.ts";
import { decryptToken } from "#lib/hosts/host-token.ts";
import { log } from "#lib/log.ts";
import type { WebhookDelivery } from "./schema.ts";
import { signedHeaders } from "./sign.ts";
import {
  cancelMessage,
  cancelWaiting,
  claimDue,
  mayBeTold,
  noteEmptyQueues,
  noteFailingStreams,
  recordFailure,
  recordSuccess,
  postsInState,
  reopenMessage,
  streamRows,
  writeAvailable,
  type Attempt,
  type DueRow,
} from "./sql.ts";
export { pruneMessages, writeAlerts, writeAvailable } from "./sql.ts";
import { getWebhook, readDelivery, sealedFor } from "./webhooks.ts";

/** Seconds before each further attempt: three days in all. */
const DELAYS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** A webhook without a success for this long is disabled. */
const GIVE_UP_SECONDS = 5 * 86_400;
const AT_ONCE = 8;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_ANSWER = 64 * 1024;
/** Milliseconds; docs/api.md#webhooks. */
const ANSWER_WITHIN = 15_000;

/** Writes messages for states that changed: an empty queue, streams that fail. */
export async function watchStates(): Promise<void> {
  await noteEmptyQueues();
  await noteFailingStreams();
}

/** Writes messages about available posts, and sends messages until none is due. */
export async function sendMessages({
  deadline,
  signal,
}: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ worked: boolean }> {
  const sending = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let worked = false;
  while (!signal?.aborted && Date.now() < deadline.getTime()) {
    await writeAvailable();
    for (const message of await claimDue(AT_ONCE - sending.size, null)) {
      worked = true;
      const sent: Promise<void> = send(message, signal)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => sending.delete(sent));
      sending.add(sent);
    }
    if (sending.size === 0) break;
    // Messages for other receivers do not wait for a slow one.
    await Promise.race([...sending, sleep(1_000, signal)]);
  }
  await Promise.all(sending);
  if (errors.length > 0) throw errors[0];
  return { worked };
}

/** Sends a message without an event at once, also to a disabled webhook. @throws ApiError `webhook_not_found` */
export async function sendTest(principal: Owner, webhookId: number): Promise<WebhookDelivery> {
  await getWebhook(principal, webhookId);
  const { id } = await db.webhook_delivery.create({ data: { webhook_id: webhookId, event: "test" } });
  return sendNow(principal, webhookId, id);
}

/**
 * One more attempt of a message, in any state, with the present data and secrets. A failure is repeated as usual.
 *
 * @throws ApiError `webhook_not_found`, `message_not_found`, `webhook_disabled`
 */
export async function sendAgain(
  principal: Principal,
  webhookId: number,
  id: string,
): Promise<WebhookDelivery> {
  const { enabled } = await getWebhook(principal, webhookId);
  if (!UUID.test(id)) throw new ApiError("message_not_found");
  if (!enabled) throw new ApiError("webhook_disabled");
  if (!(await reopenMessage(webhookId, id))) throw new ApiError("message_not_found");
  return sendNow(principal, webhookId, id);
}

async function sendNow(principal: Owner, webhookId: number, id: string): Promise<WebhookDelivery> {
  const [message] = await claimDue(1, id);
  if (message !== undefined) await send(message);
  const sent = await readDelivery(principal, webhookId, id);
  if (sent === null) throw new ApiError("message_not_found");
  return sent;
}

async function send(message: DueRow, signal?: AbortSignal): Promise<void> {
  const isTest = message.event === "test";
  const data = isTest || (await mayBeTold(message)) ? await dataOf(message) : null;
  if (data === null) return cancelMessage(message);
  const attempt = await post(message, data, signal);
  if (attempt.status !== null && attempt.status >= 200 && attempt.status < 300)
    return recordSuccess(message, attempt);
  const failure = await recordFailure(message, attempt, isTest ? null : delayAfter(message.attempts));
  if (failure === null || isTest) return;
  const { status, error: reason } = attempt;
  log.warn({ webhook: message.webhook_id, message: message.id, status, reason }, "message to webhook failed");
  if (attempt.status === 410) await disable(message.webhook_id, "gone");
  else if (failure.failing_seconds > GIVE_UP_SECONDS) await disable(message.webhook_id, "failing");
}

/** Data of the message; null if there is none any more. Read now, because a post may have been withdrawn since. */
async function dataOf({ event, data }: DueRow): Promise<object | null> {
  const { post_ids = [] } = data;
  if (event === "post.withdrawn") return { post_ids };
  if (event === "post.approved" || event === "post.error") {
    const ids = await postsInState(post_ids, event === "post.error" ? "error" : "pending");
    return ids.length === 0 ? null : { post_ids: ids };
  }
  if (event === "stream.failing") {
    const streams = await streamRows(data.stream_ids ?? []);
    if (streams.length === 0) return null;
    return { streams: streams.map(({ last_error: error, ...stream }) => ({ ...stream, error })) };
  }
  if (data.alert_ids !== undefined) {
    const alerts = await describeAlerts(data.alert_ids);
    if (alerts.length === 0) return null;
    return { alerts: alerts.map(({ advice: _, ...alert }) => alert) };
  }
  return {};
}

async function post(message: DueRow, data: object, signal?: AbortSignal): Promise<Attempt> {
  const secrets = [message.secret, message.old_secret]
    .map((sealed) => (sealed === null ? null : decryptToken(sealedFor(message.webhook_id), sealed)))
    .filter((secret) => secret !== null);
  if (secrets.length === 0)
    return {
      status: null,
      error: "The secret of this webhook is lost or encrypted with another ENCRYPTION_KEY: make a new one.",
    };
  const body = JSON.stringify({ type: message.event, timestamp: toIso(message.created_at), data });
  const headers = signedHeaders(message.id, Math.floor(Date.now() / 1000), body, secrets);
  try {
    const { status } = await guardedFetch(message.url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
      maxBytes: MAX_ANSWER,
      timeoutMs: ANSWER_WITHIN,
      headersTimeoutMs: ANSWER_WITHIN,
      ...(signal ? { signal } : {}),
    });
    return { status, error: status >= 200 && status < 300 ? null : `It answered ${status}.` };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return { status: null, error: error.message.slice(0, 500) };
  }
}

/** Up to a tenth more or less, so that messages that failed together do not return together. */
function delayAfter(attempts: number): number | null {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (0.9 + 0.2 * Math.random()));
}

async function disable(id: number, why: "failing" | "gone"): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { id, disabled_at: null },
      data: { disabled_at: new Date(), disabled_why: why },
    });
    if (count === 0) return;
    await cancelWaiting(tx, id);
    const { name } = await tx.webhook.findUniqueOrThrow({ where: { id }, select: { name: true } });
    await recordAudit(tx, servicePrincipal, { action: "webhook.disable", subject: name, after: { id, why } });
    log.warn({ webhook: id, why }, "webhook disabled");
  });
}
