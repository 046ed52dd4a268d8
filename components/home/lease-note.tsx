import { ClockTime } from "#components/ui/relative-time.tsx";
import { words } from "#components/words/en.ts";
import type { ToReview } from "#lib/review/deck-schema.ts";

const w = words.review;

/** How many of the posts to review are on a desk now. */
export function LeaseNote({ left }: { left: ToReview }) {
  const { on_your_desk: own, on_your_desk_until: until, leased_to_others: others } = left;
  return (
    <>
      {until === null ? null : (
        <p className="mt-0.5 text-13 text-muted">
          {w.onYourDesk(own)} <ClockTime at={until} />
        </p>
      )}
      {others > 0 ? <p className="mt-0.5 text-13 text-muted">{w.withOthers(others)}</p> : null}
    </>
  );
}
