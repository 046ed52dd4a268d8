import { toIso } from "#lib/clock.ts";
import type { OptOutList } from "./opt-out-schema.ts";
import { openOptOuts } from "./opt-outs-sql.ts";

const LISTED = 100;

/** Reported opt-outs nobody has decided about, oldest first, with what each holds back. */
export async function listOptOuts(): Promise<OptOutList> {
  const { rows, total } = await openOptOuts(LISTED);
  const items = rows.map((row) => ({
    account: `@${row.author_key}`,
    reason: row.reason,
    post_id: row.post_id,
    reported_at: toIso(row.reported_at),
    held: row.held,
  }));
  return { items, total };
}
