import { holdBits, heldReasons } from "./holds.ts";
import { heldCounts } from "./overview-sql.ts";

export interface HeldPosts {
  held: { reason: string; count: number }[];
  kept_back: number;
  expired: number;
  ready_on_return: number;
}

/** Counts held posts once, by `held_by` in its order of precedence, posts kept back after refusals, and expired reservations. Reads only such posts. */
export async function countHeldPosts(): Promise<HeldPosts> {
  const { counts, ...others } = await heldCounts();
  const held = heldReasons.flatMap((reason) => {
    const count = counts.get(holdBits[reason]);
    return count === undefined ? [] : [{ reason, count }];
  });
  return { held, ...others };
}
