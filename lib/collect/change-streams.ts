import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { requireInstance } from "#lib/fediverse/instance.ts";
import { getStream } from "./read-streams.ts";
import type { Stream, StreamCreate, StreamUpdate } from "./stream-schema.ts";
import { pickSettings, settingNames, withDefaults } from "./settings-schema.ts";
import type { StreamSetting, StreamSettings } from "./settings-schema.ts";
import { lockStream, streamsWithPosts, updateSchedule } from "./stream-sql.ts";

/** Defaults for the form; the hashtag is empty. */
export function newStreamSettings(): StreamSettings {
  return withDefaults({ hashtag: "", instance: env().DEFAULT_INSTANCE });
}

/**
 * The first fetch is due at once, unless the stream is inactive or has no schedule.
 *
 * @throws ApiError 422 for an instance that is not a public host, `stream_exists`
 */
export async function createStream(actor: Actor, body: StreamCreate): Promise<Stream> {
  const settings = withDefaults({
    ...body,
    instance: requireInstance(body.instance ?? env().DEFAULT_INSTANCE),
  });
  try {
    const id = await db.$transaction((tx) => insertStream(tx, actor, settings));
    return await getStream(id);
  } catch (error) {
    throw isUniqueViolation(error) ? await streamExists(settings) : error;
  }
}

async function insertStream(tx: Tx, actor: Actor, settings: StreamSettings): Promise<number> {
  const { id } = await tx.stream.create({ data: columnsOf(settings), select: { id: true } });
  await updateSchedule(tx, id, { newSource: true, resumed: true });
  await recordAudit(tx, actor, {
    action: "stream.create",
    subject: streamLabel(settings),
    after: { ...settings },
  });
  return id;
}

/**
 * A new hashtag or instance resets the cursor, and is refused once a post was stored.
 *
 * @throws ApiError `stream_not_found`, 422 for the instance, `stream_exists`, `stream_has_posts`
 */
export async function updateStream(actor: Actor, id: number, changes: StreamUpdate): Promise<void> {
  const given = definedOnly(changes);
  if (given.instance !== undefined) given.instance = requireInstance(given.instance);
  let after: StreamSettings | undefined;
  try {
    await db.$transaction(async (tx) => {
      const row = await lockStream(tx, id);
      if (row === null) throw new ApiError("stream_not_found", { id });
      const before = pickSettings(row);
      const wanted = (after = { ...before, ...given });
      await storeSettings(tx, actor, id, before, wanted);
    });
  } catch (error) {
    if (after === undefined || !isUniqueViolation(error)) throw error;
    throw await streamExists(after);
  }
}

async function storeSettings(
  tx: Tx,
  actor: Actor,
  id: number,
  before: StreamSettings,
  wanted: StreamSettings,
): Promise<void> {
  const changed = settingNames.filter((name) => !isEqual(before[name], wanted[name]));
  if (changed.length === 0) return;
  const newSource =
    foldHashtag(wanted.hashtag) !== foldHashtag(before.hashtag) || wanted.instance !== before.instance;
  if (newSource && (await streamsWithPosts([id], tx)).has(id)) throw new ApiError("stream_has_posts", { id });
  await tx.stream.update({ where: { id }, data: columnsOf(wanted), select: { id: true } });
  await updateSchedule(tx, id, {
    newSource,
    resumed: wanted.active && wanted.enable_scheduling && !(before.active && before.enable_scheduling),
  });
  await recordAudit(tx, actor, {
    action: "stream.update",
    subject: streamLabel(before),
    before: pick(before, changed),
    after: pick(wanted, changed),
  });
}

/**
 * Posts and their queue entries stay, without a stream; a trigger updates the counters.
 *
 * @throws ApiError `stream_not_found`
 */
export async function deleteStream(actor: Actor, id: number): Promise<void> {
  await db.$transaction(
    async (tx) => {
      const row = await lockStream(tx, id);
      if (row === null) throw new ApiError("stream_not_found", { id });
      await tx.stream.delete({ where: { id }, select: { id: true } });
      await tx.$executeRaw`UPDATE queue_entry SET stream_id = NULL WHERE stream_id = ${id}::int`;
      await recordAudit(tx, actor, {
        action: "stream.delete",
        subject: streamLabel(row),
        before: { ...pickSettings(row) },
      });
    },
    // Rewrites every post of the stream.
    { timeout: 120_000 },
  );
}

type Source = Pick<StreamSettings, "hashtag" | "instance">;

function streamLabel({ hashtag, instance }: Source): string {
  return `#${hashtag} on ${instance}`;
}

/** Fails to compile when the table `stream` lacks one of them. */
function columnsOf(settings: StreamSettings) {
  return { ...settings, hashtag_folded: foldHashtag(settings.hashtag) } satisfies Prisma.streamCreateInput;
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}

/** Names the hashtag as it is stored. */
async function streamExists({ hashtag, instance }: Source): Promise<ApiError> {
  const stored = await db.stream.findUnique({
    where: { hashtag_folded_instance: { hashtag_folded: foldHashtag(hashtag), instance } },
    select: { hashtag: true },
  });
  return new ApiError("stream_exists", { hashtag: stored?.hashtag ?? hashtag, instance });
}

function definedOnly(changes: StreamUpdate): Partial<StreamSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function pick(settings: Partial<StreamSettings>, names: StreamSetting[]): Prisma.InputJsonObject {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
