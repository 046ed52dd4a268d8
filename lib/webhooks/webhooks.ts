import { recordAudit } from "#lib/audit/record-audit.ts";
import { ownerFor, type Owner, type Principal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { checkHost, originFor } from "#lib/fediverse/guarded-fetch.ts";
import { encryptToken } from "#lib/hosts/host-token.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  installationEvents,
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookCreate,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookUpdate,
  type WebhookWithSecret,
} from "./schema.ts";
import { newSecret } from "./sign.ts";
import { cancelWaiting, countWebhooksOf, nextWebhookId, webhookRows, type WebhookRow } from "./sql.ts";

/** Hours that a former secret signs beside the new one. */
const OVERLAP_HOURS = 24;
const LOG_LINES = 100;

/** Those that the member made for own keys, with `manage` all; newest first. */
export async function listWebhooks(principal: Owner): Promise<Webhook[]> {
  return (await webhookRows(ownerFor(principal), null)).map(serialize);
}

/** The secret is shown only here and after rotateSecret. */
export async function createWebhook(principal: Principal, values: WebhookCreate): Promise<WebhookWithSecret> {
  const { name, events, api_key_id: keyId = null } = values;
  await requireKey(principal, keyId);
  requireEvents(events, keyId);
  const url = requireAddress(values.url);
  const secret = newSecret();
  const id = await inTransaction(async (tx) => {
    if ((await countWebhooksOf(tx, principal.member_id)) >= MAX_WEBHOOKS)
      throw new ApiError("webhook_limit", { count: MAX_WEBHOOKS });
    const made = await nextWebhookId(tx);
    await tx.webhook.create({
      data: {
        id: made,
        ...{ name, url, events: [...new Set(events)], api_key_id: keyId, created_by: principal.member_id },
        secret: encryptToken(sealedFor(made), secret),
      },
    });
    await recordAudit(tx, principal, {
      action: "webhook.create",
      subject: label({ name, url }),
      after: { id: made, events, api_key_id: keyId },
    });
    return made;
  });
  return { ...(await getWebhook(principal, id)), secret };
}

/** @throws ApiError `webhook_not_found`, `validation` */
export async function updateWebhook(
  principal: Principal,
  id: number,
  values: WebhookUpdate,
): Promise<Webhook> {
  const url = values.url === undefined ? undefined : requireAddress(values.url);
  await inTransaction(async (tx) => {
    const before = await lockWebhook(tx, principal, id);
    const { name, events, enabled } = values;
    requireEvents(events ?? [], before.api_key_id);
    await tx.webhook.update({
      where: { id },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: [...new Set(events)] }),
        ...(enabled === true ? { disabled_at: null, disabled_why: null, failing_since: null } : {}),
        ...(enabled === false && before.disabled_at === null
          ? { disabled_at: new Date(), disabled_why: "member" }
          : {}),
      },
    });
    if (enabled === false) await cancelWaiting(tx, id);
    if (enabled === true && before.disabled_at !== null)
      await tx.$executeRaw`UPDATE webhook SET approvals_since = now() WHERE id = ${id}`;
    await recordAudit(tx, principal, {
      action: "webhook.update",
      subject: label(before),
      before: {
        name: before.name,
        url: before.url,
        events: before.events,
        enabled: before.disabled_at === null,
      },
      after: {
        name: name ?? before.name,
        url: url ?? before.url,
        events: events ?? before.events,
        enabled: enabled ?? before.disabled_at === null,
      },
    });
  });
  return getWebhook(principal, id);
}

/** @throws ApiError `webhook_not_found` */
export async function deleteWebhook(principal: Principal, id: number): Promise<void> {
  await inTransaction(async (tx) => {
    const before = await lockWebhook(tx, principal, id);
    await tx.webhook.delete({ where: { id } });
    await recordAudit(tx, principal, { action: "webhook.delete", subject: label(before), before: { id } });
  });
}

/**
 * The former secret also signs for a day, so that the receiver can change over.
 *
 * @throws ApiError `webhook_not_found`
 */
export async function rotateSecret(principal: Principal, id: number): Promise<WebhookWithSecret> {
  const secret = newSecret();
  await inTransaction(async (tx) => {
    const before = await lockWebhook(tx, principal, id);
    await tx.$executeRaw`
      UPDATE webhook SET old_secret = secret, old_secret_until = now() + ${OVERLAP_HOURS}::int * interval '1 hour',
                         secret = ${encryptToken(sealedFor(id), secret)} WHERE id = ${id}`;
    await recordAudit(tx, principal, { action: "webhook.rotate", subject: label(before), before: { id } });
  });
  return { ...(await getWebhook(principal, id)), secret };
}

/** The newest messages. @throws ApiError `webhook_not_found` */
export async function listDeliveries(principal: Owner, id: number): Promise<WebhookDelivery[]> {
  await getWebhook(principal, id);
  const rows = await db.webhook_delivery.findMany({
    where: { webhook_id: id },
    orderBy: { seq: "desc" },
    take: LOG_LINES,
  });
  return rows.map(serializeDelivery);
}

/** @throws ApiError `webhook_not_found` */
export async function readDelivery(
  principal: Owner,
  webhookId: number,
  id: string,
): Promise<WebhookDelivery | null> {
  await getWebhook(principal, webhookId);
  const row = await db.webhook_delivery.findFirst({ where: { id, webhook_id: webhookId } });
  return row === null ? null : serializeDelivery(row);
}

function serializeDelivery(row: Prisma.webhook_deliveryModel): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    created_at: toIso(row.created_at),
    state: row.state as WebhookDelivery["state"],
    attempts: row.attempts,
    next_attempt_at: row.state === "pending" ? toIso(row.next_attempt_at) : null,
    last_attempt_at: toIso(row.last_attempt_at),
    status: row.status,
    error: row.error,
  };
}

/** @throws ApiError `webhook_not_found` */
export async function getWebhook(principal: Owner, id: number): Promise<Webhook> {
  const [row] = await webhookRows(ownerFor(principal), id);
  if (row === undefined) throw new ApiError("webhook_not_found");
  return serialize(row);
}

/** Authenticated data of the encrypted secret: a row copied to another webhook does not decrypt. */
export function sealedFor(id: number): string {
  return `webhook ${id}`;
}

async function lockWebhook(tx: Tx, principal: Owner, id: number): Promise<WebhookRow> {
  await tx.$executeRaw`SELECT FROM webhook WHERE id = ${id} FOR UPDATE`;
  const [row] = await webhookRows(ownerFor(principal), id, tx);
  if (row === undefined) throw new ApiError("webhook_not_found");
  return row;
}

/** Normalised. The host is checked again with each message, with all its addresses. */
function requireAddress(text: string): string {
  const refuse = (message: string) => validationError([{ path: "url", message }]);
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw refuse("must be an https address");
  if (url.username !== "" || url.password !== "") throw refuse("must not contain a password");
  const host = checkHost(url.host);
  if (!host.ok) throw refuse(host.reason);
  if (originFor(url.host) !== url.origin) throw refuse("must be an https address");
  return url.href;
}

/** Without a key, events of every stream are told, which an admin decides. */
async function requireKey(principal: Principal, keyId: number | null): Promise<void> {
  if (keyId === null) {
    if (principal.scopes.includes("manage")) return;
    throw principal.kind === "key"
      ? new ApiError("scope_missing", { scope: "manage" })
      : new ApiError("role_forbidden");
  }
  const { keys } = await keyStatus(principal);
  if (!keys.some((key) => key.id === keyId))
    throw validationError([{ path: "api_key_id", message: "is not one of your keys" }]);
}

function requireEvents(events: readonly WebhookEvent[], keyId: number | null): void {
  const refused = keyId === null ? [] : events.filter((event) => installationEvents.includes(event));
  if (refused.length > 0)
    throw validationError([
      { path: "events", message: `${refused.join(", ")} need a webhook without a key` },
    ]);
}

function label({ name, url }: { name: string; url: string }): string {
  return `${name} (${new URL(url).host})`;
}

function serialize(row: WebhookRow): Webhook {
  const { id, name, url, events, api_key_id, key_name, created_by, disabled_why, waiting } = row;
  return {
    ...{ id, name, url, events, api_key_id, key_name, created_by, disabled_why, waiting },
    created_at: toIso(row.created_at),
    enabled: row.disabled_at === null,
    disabled_at: toIso(row.disabled_at),
    failing_since: toIso(row.failing_since),
    last_success_at: toIso(row.last_success_at),
    old_secret_until: toIso(row.old_secret_until),
  };
}
