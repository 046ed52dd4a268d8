import { z } from "zod";
import { Prisma } from "#lib/base/db.ts";
import { setting } from "#lib/base/setting.ts";

/** The switches of the page Blocking, and whether deliveries are paused (`GET /curated/next` then answers 204). */
export const switches = setting(
  "switches",
  z.object({
    require_media: z.boolean(),
    require_alt_text: z.boolean(),
    auto_reject_blocked_users: z.boolean(),
    auto_reject_blocked_hashtags: z.boolean(),
    auto_reject_bots: z.boolean(),
    deliveries_paused: z.boolean(),
  }),
);

/** SQL for FROM: one row `s` with a column for each switch. */
export const switchRow = Prisma.sql`(
  SELECT v.* FROM setting, jsonb_to_record(value) AS v (
           require_media boolean, require_alt_text boolean, auto_reject_blocked_users boolean,
           auto_reject_blocked_hashtags boolean, auto_reject_bots boolean, deliveries_paused boolean)
   WHERE name = 'switches') s`;
