import { Prisma } from "#lib/base/db.ts";

/*
 * An expired reservation stays in the table until the next request of a bot returns it (queue_sweep). Until then, lists and
 * figures of the screens show its post as returned; `queue_status` of a post and `GET /stats` show it as reserved.
 */

/** Condition on a row `e` of queue_entry: its reservation has expired. */
export const isExpired = Prisma.sql`e.lease_expires_at < now()`;

/** Condition on a row `e`: its reservation has expired, and the next request can get the post. */
export const isReadyOnReturn = Prisma.sql`(${isExpired} AND e.holds = 0 AND backoff_delay(e.refusals + 1) IS NULL)`;
