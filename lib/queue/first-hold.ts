import { Prisma } from "#lib/base/db.ts";

/** The bit that `heldBy` names, as queue_entry_held_idx has it: the lowest of a switch (896), or of all. */
export const firstHold = Prisma.sql`(CASE WHEN holds >= 128 THEN holds & 896 & -(holds & 896) ELSE holds & -holds END)`;
