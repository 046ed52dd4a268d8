import * as words from "#components/words/desk.ts";

export interface LeftToReviewProps {
  /** All unreviewed posts that match. Null until counted. */
  count: number | null;
  isMore: boolean;
  /** Included in `count`; the deck does not show them. */
  leasedToOthers: number;
}

/** The number left, with the same words on the deck, in the lists and on Home. */
export function LeftToReview({ count, isMore, leasedToOthers }: LeftToReviewProps) {
  return (
    <>
      {words.review.left(count, isMore)}
      {leasedToOthers > 0 ? (
        <span className="max-desk:hidden-visually"> · {words.review.withOthers(leasedToOthers)}</span>
      ) : null}
    </>
  );
}
