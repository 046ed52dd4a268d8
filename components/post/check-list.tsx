import { formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { Score } from "#lib/classify/schema.ts";

export function CheckList({ score }: { score: Score }) {
  const w = words.postPage;
  if (score.checks.length === 0) return <p className="text-13 text-muted">{w.checksNone}</p>;
  return (
    <ul className="flex flex-col gap-3 text-13">
      {score.checks.map((check) => (
        <li key={`${check.kind}-${check.name}`}>
          <p className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate font-medium">{check.name.replaceAll("_", " ")}</span>
            <span className="text-12 text-muted">{check.votes ? w.checkVotes : w.checkAdvises}</span>
            <span className="tabular">{formatPercent(check.score === null ? null : check.score * 100)}</span>
          </p>
          <div
            aria-hidden
            className="relative mt-1 h-1 rounded-full bg-wash"
            title={
              check.threshold === null ? undefined : `${w.checkLine} ${formatPercent(check.threshold * 100)}`
            }
          >
            <div
              data-bar=""
              className="h-full rounded-full bg-warn"
              style={{ width: `${Math.min(100, (check.score ?? 0) * 100)}%` }}
            />
            {check.threshold === null ? null : (
              <div
                data-bar=""
                className="absolute -top-1 h-3 w-px bg-text"
                style={{ insetInlineStart: `${check.threshold * 100}%` }}
              />
            )}
          </div>
          {check.reason ? <p className="mt-1 text-muted wrap-anywhere">{check.reason}</p> : null}
        </li>
      ))}
    </ul>
  );
}
