import { z } from "zod";

/** The minimum of days for each kind of row. Delivered posts are kept for RETENTION_DAYS. */
export const MIN_KEPT_DAYS = { rejected: 1, unreviewed: 1, failed: 1, history: 92 } as const;
export type KeptKind = keyof typeof MIN_KEPT_DAYS;
export const keptKinds = Object.keys(MIN_KEPT_DAYS) as KeptKind[];

export const MAX_KEPT_DAYS = 36_500;

const days = (kind: KeptKind) => z.int().min(MIN_KEPT_DAYS[kind]).max(MAX_KEPT_DAYS).nullable();

/** Days of retention; null for ever. */
export const KeptDays = z.object({
  /** Counted from the rejection, by a person or a filter. */
  rejected_days: days("rejected"),
  /** Counted from the fetch or the last change of a post without a decision. */
  unreviewed_days: days("unreviewed"),
  /** Counted from the consumer's error report. */
  failed_days: days("failed"),
  /** Counted from a history line of a post that is no longer stored. A stored post keeps its history. */
  history_days: days("history"),
});
export type KeptDays = z.infer<typeof KeptDays>;
