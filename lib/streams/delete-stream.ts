import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { lockSettings } from "./sql.ts";

/**
 * Deletes a stream. Its posts stay, without a stream; a trigger updates the counters.
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
