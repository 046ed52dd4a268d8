import { Prisma } from "#lib/base/db.ts";

/*
 * Reservations of rows `e` that have expired. Until the next request of a bot returns them (queue_sweep), figures, lists
 * and pages of the screens show these posts as returned. The column `state`, `queue_status` of posts and `GET /stats` change with the return.
 */

export const isExpired = Prisma.sql`e.lease_expires_at < now()`;

/** Whether the next request can get the post. */
export const isReadyOnReturn = Prisma.sql`(${isExpired} AND e.holds = 0 AND backoff_delay(e.refusals + 1) IS NULL)`;
