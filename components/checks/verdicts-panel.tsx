import { FigureLink } from "#components/charts/figure-link.tsx";
import { Panel } from "#components/ui/card.tsx";
import { formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { CheckQuality } from "#lib/checks/quality/schema.ts";
import { nameOf } from "./check-name.ts";
import { isEnough, progressOf, stateOf } from "./figures-table.tsx";

const w = words.checks;

/** For each check with decisions: what it found, and what the threshold should do. */
export function VerdictsPanel({ checks }: { checks: readonly CheckQuality[] }) {
  return (
    <Panel title={w.verdicts} description={w.verdictsHint} flush>
      <ul className="divide-y divide-line">
        {checks.map((check) => (
          <li key={check.name} data-check={check.name} className="px-4 py-3 text-14">
            <h3 className="font-medium">
              {nameOf(check.name)} <span className="text-13 font-normal text-muted">{stateOf(check)}</span>
            </h3>
            {check.all_time.n === 0 ? (
              <p className="mt-0.5 text-muted">{w.notUsed}</p>
            ) : (
              <>
                <p className="mt-0.5">{foundBy(check)}</p>
                <Lists check={check} />
                <p className="mt-0.5 text-13 text-muted">
                  {isEnough(check) ? adviceOn(check) : progressOf(check)}
                </p>
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Lists of the counted posts. A check without one threshold for all posts has none. */
function Lists({ check }: { check: CheckQuality }) {
  return (
    <ul className="mt-0.5 flex flex-wrap gap-x-4 text-13">
      {listsOf(check).map(({ href, text }) => (
        <li key={href}>
          <FigureLink href={href}>{text}</FigureLink>
        </li>
      ))}
    </ul>
  );
}

export function listsOf(check: CheckQuality): { href: string; text: string; count: number }[] {
  const { name, threshold } = check;
  if (threshold === null) return [];
  const { warned, found, missed } = countsOf(check);
  const list = (comparison: ">=" | "<", approved: boolean) =>
    withQuery("/posts", { check_score: `${name}${comparison}${threshold}`, approved });
  return [
    { href: list(">=", false), text: w.listFound(found), count: found },
    { href: list(">=", true), text: w.listWrong(warned - found), count: warned - found },
    { href: list("<", false), text: w.listMissed(missed), count: missed },
  ].filter(({ count }) => count > 0);
}

/** Warnings and misses at the present threshold, of all decisions. */
export function countsOf({ all_time: { n, rejected, precision } }: CheckQuality) {
  const [warned, found] = [precision?.n ?? 0, precision?.hits ?? 0];
  return { warned, found, others: n - warned, missed: rejected - found };
}

export function foundBy(check: CheckQuality): string {
  const { warned, found, others, missed } = countsOf(check);
  return `${warned === 0 ? w.warnedOfNone : w.warned(warned, found)} ${others === 0 ? w.warnedOfAll : w.missed(missed, others)}`;
}

/** A wrong warning distracts as much as a missed rejection, so the larger number decides. */
export function adviceOn(check: CheckQuality): string {
  if (check.threshold === null) return w.noThreshold;
  const { warned, found, missed } = countsOf(check);
  const at = formatPercent(check.threshold * 100);
  if (warned - found > missed && warned - found > found) return w.raise(at);
  return missed > found && missed > warned - found ? w.lower(at) : w.keep(at);
}
