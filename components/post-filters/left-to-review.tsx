import { ClockTime } from "#components/ui/relative-time.tsx";
import * as words from "#components/words/desk.ts";

export interface LeftToReviewProps {
  /** All unreviewed posts that match. Null until counted. */
  count: number | null;
  isMore: boolean;
  /** Included in `count`; the deck does not show them. */
  leasedToOthers: number;
  /** Under any filters, so it can be more than `count`. */
  own?: { count: number; until: string | null };
}

/** The number left, with the same words on the deck, in the lists and on Home. */
export function LeftToReview({ count, isMore, leasedToOthers, own }: LeftToReviewProps) {
  const { onYourDesk: matching, onYourDeskInAll } = words.review;
  const onYourDesk = own !== undefined && own.count > (count ?? Infinity) ? onYourDeskInAll : matching;
  return (
    <>
      {words.review.left(count, isMore)}
      {own === undefined || own.until === null ? null : (
        <span className="max-wide:hidden-visually">
          {" "}
          · {onYourDesk(own.count)} <ClockTime at={own.until} />
        </span>
      )}
      {leasedToOthers > 0 ? (
        <span className="max-desk:hidden-visually"> · {words.review.withOthers(leasedToOthers)}</span>
      ) : null}
    </>
  );
}
