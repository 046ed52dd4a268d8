import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { foldHashtag } from "#lib/fediverse/fold-hashtag.ts";
import { streamExists } from "./existing-stream.ts";
import { getStream } from "./get-stream.ts";
import { requireInstance } from "#lib/hosts/require-instance.ts";
import type { Stream, StreamCreate } from "./schema.ts";
import { insertStream } from "./sql.ts";

/**
 * Adds a stream. Unless it is made inactive or without a schedule, its first fetch is due at once.
 * @throws ApiError 422 for an instance that is no host or a private one, `stream_exists`
 */
export async function createStream(actor: Actor, body: StreamCreate): Promise<Stream> {
  const settings = {
    hashtag: body.hashtag,
    hashtag_folded: foldHashtag(body.hashtag),
    instance: requireInstance(body.instance ?? env().DEFAULT_INSTANCE),
    active: body.active ?? true,
    enable_scheduling: body.enable_scheduling ?? true,
    fetch_interval_minutes: body.fetch_interval_minutes ?? 60,
    consent_policy: body.consent_policy ?? ("moderate" as const),
    consent_list: body.consent_list ?? [],
    require_media: body.require_media ?? false,
    drop_replies: body.drop_replies ?? false,
    languages: body.languages ?? [],
  };
  const id = await db.$transaction(async (tx) => {
    const inserted = await insertStream(tx, settings);
    if (inserted !== null) {
      const { hashtag_folded: _folded, ...after } = settings;
      await recordAudit(tx, actor, {
        action: "stream.create",
        subject: `#${settings.hashtag} on ${settings.instance}`,
        after,
      });
    }
    return inserted;
  });
  if (id === null) throw await streamExists(settings.hashtag_folded, settings.instance, settings.hashtag);
  return getStream(id);
}
