import type { Tx } from "#lib/base/db.ts";

/** Keeps uri, rule and time of refused posts, no content. */
export async function noteRefusals(
  tx: Tx,
  streamId: number | null,
  refusals: { uri: string; rule: string }[],
): Promise<void> {
  if (refusals.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO consent_drop (uri, rule, stream_id)
    SELECT r.uri, r.rule, ${streamId}::int
      FROM jsonb_to_recordset(${JSON.stringify(refusals)}::jsonb) AS r (uri text, rule text)
     ORDER BY r.uri
    ON CONFLICT (uri) DO UPDATE SET rule = excluded.rule, at = now() WHERE consent_drop.rule <> excluded.rule`;
}
