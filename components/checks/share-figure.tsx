import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { Share } from "#lib/checks/quality/schema.ts";

/** A share with the number it stands on and its interval. */
export function ShareFigure({ share }: { share: Share | null }) {
  if (share === null) return <>–</>;
  const percent = (value: number) => formatPercent(Math.round(value * 1000) / 10);
  const ends = (value: number) => formatCount(Math.round(value * 1000) / 10);
  return (
    <span className="inline-flex flex-col desk:items-end">
      <span>{words.checks.share(percent(share.share), formatCount(share.n))}</span>
      <span className="text-12 whitespace-nowrap text-muted">
        ({words.checks.between(ends(share.low), ends(share.high))})
      </span>
    </span>
  );
}
