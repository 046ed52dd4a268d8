import type { Principal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import { readSwitches } from "./held-posts.ts";
import { heldBy } from "./holds.ts";
import { serializeItem } from "./reserve-next.ts";
import type { HeldReservations, WithdrawnPosts, WithdrawnQuery } from "./schema.ts";
import { heldRows, withdrawnRows } from "./sql.ts";

/** The reservations of the key, or of the member's sessions; also overdue ones until the next reserve. Changes nothing. */
export async function listHeldReservations(principal: Principal): Promise<HeldReservations> {
  const [rows, switches] = await Promise.all([heldRows(principal), readSwitches()]);
  const reservations = rows.map((row) => ({
    ...serializeItem(row),
    reservation_id: row.lease_id,
    reserved_at: toIso(row.reserved_at),
    reserved_until: toIso(row.lease_expires_at),
    delivery_count: row.deliveries,
    held_by: heldBy(row, switches),
  }));
  return { reservations };
}

/** Posts that consumers had and that were withdrawn since, newest first. */
export async function listWithdrawn(
  { stream_ids }: Principal,
  { since, skip, limit }: WithdrawnQuery,
): Promise<WithdrawnPosts> {
  const rows = await withdrawnRows(stream_ids ?? [], since ?? null, skip, limit);
  return { withdrawn: rows.map(({ post_id, at }) => ({ fenliu_post_id: post_id, withdrawn_at: toIso(at) })) };
}
