import { db } from "#lib/db.ts";

/** Previews of a member in one window. */
export interface PreviewUse {
  used: number;
  /** Time to the next window. */
  wait_seconds: number;
}

export async function countPreview(memberId: number, windowSeconds: number): Promise<PreviewUse> {
  const rows = await db.$queryRaw<PreviewUse[]>`
    INSERT INTO preview_use AS p (member_id, used) VALUES (${memberId}, 1)
    ON CONFLICT (member_id) DO UPDATE
       SET used = CASE WHEN p.started_at < now() - ${windowSeconds}::int * interval '1 second' THEN 1
                       ELSE least(p.used, 1000000) + 1 END,
           started_at = CASE WHEN p.started_at < now() - ${windowSeconds}::int * interval '1 second' THEN now()
                             ELSE p.started_at END
    RETURNING used,
      ceil(extract(epoch FROM started_at + ${windowSeconds}::int * interval '1 second' - now()))::int AS wait_seconds`;
  return rows[0] as PreviewUse;
}
