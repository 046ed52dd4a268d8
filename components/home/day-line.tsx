import { Link } from "#components/ui/link.tsx";
import { formatCount } from "#components/format.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { Today } from "#lib/stats/get-overview.ts";

/** "427 in, 308 decided, 119 wait": the team's day in a line. */
export function DayLine({ today, waiting }: { today: Today; waiting: number }) {
  const { since, arrivals, decided } = today;
  const parts = [
    [arrivals, "in", figureList("fetched", { since }, byPeople)],
    [decided, "decided", figureList("decided", { since })],
    [waiting, "wait", "/posts?reviewed=false"],
  ] as const;
  return (
    <p className="border-t border-line px-4 py-2.5 text-13">
      Today:{" "}
      {parts.map(([n, word, href], index) => (
        <span key={word}>
          {index === 0 ? null : ", "}
          <Link
            href={href}
            prefetch={false}
            tone="plain"
            className="underline decoration-line-strong decoration-dotted"
          >
            {formatCount(n)}
          </Link>{" "}
          {word}
        </span>
      ))}
    </p>
  );
}
