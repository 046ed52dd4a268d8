import { z } from "zod";

/**
 * The kinds that have a number of days, with its minimum. Delivered posts have RETENTION_DAYS.
 */
export const MIN_KEPT_DAYS = { rejected: 1, unreviewed: 1, failed: 1, history: 92 } as const;
export type KeptKind = keyof typeof MIN_KEPT_DAYS;
export const keptKinds = Object.keys(MIN_KEPT_DAYS) as KeptKind[];

export const MAX_KEPT_DAYS = 36_500;

const days = (kind: KeptKind) => z.int().min(MIN_KEPT_DAYS[kind]).max(MAX_KEPT_DAYS).nullable();

/** Null: for ever. */
export const KeptDays = z.object({
  /** After the rejection, by a person or a filter. */
  rejected_days: days("rejected"),
  /** After the fetch or the last change of a post that has no decision. */
  unreviewed_days: days("unreviewed"),
  /** After a consumer's error report. */
  failed_days: days("failed"),
  /** After a history line of a post that is no longer stored. A stored post keeps its history. */
  history_days: days("history"),
});
export type KeptDays = z.infer<typeof KeptDays>;
