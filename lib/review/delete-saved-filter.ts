import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";

/**
 * Deletes one of one's own filters, by name or id; an admin may also delete what others share.
 * @throws saved_filter_not_found
 */
export async function deleteSavedFilter(
  principal: Principal,
  which: { name?: string | undefined; id?: number | undefined },
): Promise<void> {
  const own = { member_id: principal.member_id };
  const { count } = await db.saved_filter.deleteMany({
    where: {
      ...(which.name === undefined ? {} : { name: which.name.trim(), ...own }),
      ...(which.id === undefined ? {} : { id: which.id }),
      ...(principal.role === "admin" ? { OR: [own, { shared: true }] } : own),
    },
  });
  if (count === 0) throw new ApiError("saved_filter_not_found");
}
