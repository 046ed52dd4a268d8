"use client";
import { formatCount } from "#components/format.ts";
import { useNow } from "#components/ui/clock-context.tsx";
import { ClockTime } from "#components/ui/relative-time.tsx";

/** A lease is shown when less time than this remains. */
const RUNS_OUT_MS = 2 * 60_000;

export interface LeftToReviewProps {
  /** All unreviewed posts that match. Null until counted. */
  count: number | null;
  isMore: boolean;
  /** Included in `count`; the deck does not show them. */
  leasedToOthers: number;
  /** Under any filters, so it can be more than `count`. */
  own: { count: number; until: string | null };
}

/** The number left. Leases only while they run out, or when others have the rest. */
export function LeftToReview({ count, isMore, leasedToOthers, own }: LeftToReviewProps) {
  const now = useNow();
  const leftMs = own.until === null ? Infinity : Date.parse(own.until) - now;
  const othersHaveRest = leasedToOthers > 0 && count !== null && own.count + leasedToOthers >= count;
  return (
    <>
      {count === null ? "Counting" : `${formatCount(count)}${isMore ? "+" : ""} left`}
      {own.until === null || leftMs > RUNS_OUT_MS ? null : (
        <span className="max-wide:hidden-visually">
          {" "}
          ·{" "}
          {leftMs > 0 ? (
            <>
              {formatCount(own.count)} on your desk until <ClockTime at={own.until} />
            </>
          ) : (
            "no longer reserved for you"
          )}
        </span>
      )}
      {othersHaveRest ? (
        <span className="max-desk:hidden-visually">
          {" "}
          · {formatCount(leasedToOthers)} on{" "}
          {leasedToOthers === 1 ? "another reviewer's desk" : "other reviewers' desks"}
        </span>
      ) : null}
    </>
  );
}
