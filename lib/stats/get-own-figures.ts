import { compactFigures } from "./compact-figures.ts";
import { ownRow } from "./own-sql.ts";

export interface OwnFigures {
  reviewed: number;
  approved: number;
  rejected: number;
  /** Decisions of the last seven days, this one included. */
  week: number;
}

/**
 * What one member has decided on a UTC day: the same figures as the statistics show of reviewers.
 * @param today `YYYY-MM-DD`
 */
export async function getOwnFigures(memberId: number, today: string): Promise<OwnFigures> {
  await compactFigures(new Date(Date.now() + 1000));
  const row = await ownRow(memberId, today);
  return {
    reviewed: row.reviewed,
    approved: row.approved,
    rejected: row.reviewed - row.approved,
    week: row.week_reviewed,
  };
}
