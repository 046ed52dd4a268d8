import { ClockTime } from "#components/ui/relative-time.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";

const w = words.home.flow;

export interface LeaseNoteProps {
  leases: { own: { count: number; until: string | null }; others: number };
}

/** How many of the posts to review are on a desk now. */
export function LeaseNote({ leases: { own, others } }: LeaseNoteProps) {
  const parts = [
    own.until === null ? null : (
      <>
        {w.onYourDesk(formatCount(own.count))} <ClockTime at={own.until} />
      </>
    ),
    others > 0 ? w.onOtherDesks(formatCount(others)) : null,
  ].filter((part) => part !== null);
  return parts.map((part, index) => (
    <span key={index} className="mt-0.5 block text-13 text-muted">
      {part}
    </span>
  ));
}
