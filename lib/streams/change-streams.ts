import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { Prisma, db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { requireInstance } from "#lib/hosts/instance.ts";
import { getStream } from "./read-streams.ts";
import type { Stream, StreamCreate, StreamUpdate } from "./schema.ts";
import { type StreamSettings, insertStream, lockSettings, writeSettings } from "./sql.ts";

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

/**
 * Changes the named settings of a stream and leaves the others. Another hashtag or instance is another source:
 * its positions start anew. Posts collected so far keep the stream's id and the hashtag they came by.
 *
 * @throws ApiError `stream_not_found`, 422 for the instance, `stream_exists`
 */
export async function updateStream(actor: Actor, id: number, changes: StreamUpdate): Promise<void> {
  const named = {
    ...changes,
    ...(changes.instance === undefined ? {} : { instance: requireInstance(changes.instance) }),
  };
  let wanted: StreamSettings | undefined;
  try {
    await db.$transaction(async (tx) => {
      const before = await lockSettings(tx, id);
      if (before === null) throw new ApiError("stream_not_found", { id });
      wanted = { ...before, ...definedOnly(named) };
      const difference = differing(before, wanted);
      if (difference.length === 0) return;
      const folded = foldHashtag(wanted.hashtag);
      const moved = folded !== foldHashtag(before.hashtag) || wanted.instance !== before.instance;
      const woken = wanted.active && wanted.enable_scheduling && !(before.active && before.enable_scheduling);
      await writeSettings(tx, id, { ...wanted, hashtag_folded: folded }, { moved, woken });
      await recordAudit(tx, actor, {
        action: "stream.update",
        subject: `#${before.hashtag} on ${before.instance}`,
        before: pick(before, difference),
        after: pick(wanted, difference),
      });
    });
  } catch (error) {
    if (wanted === undefined || !isUniqueViolation(error)) throw error;
    throw await streamExists(foldHashtag(wanted.hashtag), wanted.instance, wanted.hashtag);
  }
}

function definedOnly(changes: StreamUpdate): Partial<StreamSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function differing(before: StreamSettings, after: StreamSettings): (keyof StreamSettings)[] {
  const keys = Object.keys(after) as (keyof StreamSettings)[];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

function pick(settings: StreamSettings, keys: (keyof StreamSettings)[]): Prisma.InputJsonObject {
  return Object.fromEntries(keys.map((key) => [key, settings[key]]));
}

/** Raw SQL reports it as P2010 with the database's own code inside, the query API as P2002. */
function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  return error.code === "P2002" || (error.code === "P2010" && JSON.stringify(error.meta).includes("23505"));
}

/**
 * Deletes a stream. Its posts stay, without a stream; the counters follow by trigger.
 * @throws ApiError `stream_not_found`
 */
export async function deleteStream(actor: Actor, id: number): Promise<void> {
  await db.$transaction(
    async (tx) => {
      const before = await lockSettings(tx, id);
      if (before === null) throw new ApiError("stream_not_found", { id });
      await tx.stream.delete({ where: { id }, select: { id: true } });
      await recordAudit(tx, actor, {
        action: "stream.delete",
        subject: `#${before.hashtag} on ${before.instance}`,
        before: { ...before },
      });
    },
    // Every post of the stream is rewritten: 100 000 of them take some seconds.
    { timeout: 120_000 },
  );
}

/** The 409 for a pair that exists, with the hashtag as it is stored (contract §5). */
export async function streamExists(
  hashtagFolded: string,
  instance: string,
  asked: string,
): Promise<ApiError> {
  const stored = await db.stream.findUnique({
    where: { hashtag_folded_instance: { hashtag_folded: hashtagFolded, instance } },
    select: { hashtag: true },
  });
  return new ApiError("stream_exists", { hashtag: stored?.hashtag ?? asked, instance });
}
