import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { foldHashtag } from "#lib/fediverse/fold-hashtag.ts";
import { ApiError } from "#lib/errors.ts";
import { Prisma } from "#lib/db.ts";
import { streamExists } from "./existing-stream.ts";
import { requireInstance } from "#lib/hosts/require-instance.ts";
import type { StreamUpdate } from "./schema.ts";
import { lockSettings, writeSettings, type StreamSettings } from "./sql.ts";

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
