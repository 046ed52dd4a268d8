import { checkNames } from "#components/words.ts";
import { Check as Tick, Minus } from "lucide-react";
import { formatPercent } from "#components/format.ts";
import type { Check } from "#lib/checks/results/opinion.ts";

const percentOf = (share: number) => formatPercent(Math.round(share * 100));

export interface CheckLinesProps {
  checks: readonly Check[];
  /** Words instead of scores, and no versions. */
  isBrief: boolean;
}

/** Each check with its score on a bar, its line, vote, version and reason. */
export function CheckLines({ checks, isBrief }: CheckLinesProps) {
  const rules = checks.filter((check) => check.kind === "rule");
  const whole = checks.filter((check) => check.kind !== "rule");
  if (whole.length === 0) return <p className="text-13 text-muted">Not checked yet</p>;
  return (
    <ul className="flex flex-col gap-4 text-13">
      {whole.map((check) => (
        <CheckLine
          key={check.name}
          isBrief={isBrief}
          check={check}
          rules={check.kind === "text" ? rules : []}
        />
      ))}
    </ul>
  );
}

function CheckLine({ check, rules, isBrief }: { check: Check; rules: readonly Check[]; isBrief: boolean }) {
  const Vote = check.votes ? Tick : Minus;
  return (
    <li data-check={check.name} className="flex flex-col gap-1">
      <p className="flex items-center gap-2">
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {checkNames[check.name] ?? nameOf(check)}
        </span>
        <span className="inline-flex items-center gap-1 text-12 text-muted">
          <Vote aria-hidden className="size-3" />
          {check.votes ? "Votes" : "Does not vote"}
        </span>
      </p>
      <ScoreBar check={check} />
      <p className="tabular text-12 text-muted">
        {isBrief
          ? briefly(check)
          : [
              check.score === null ? "No result" : `Score ${percentOf(check.score)}`,
              check.threshold === null ? "no threshold yet" : `threshold ${percentOf(check.threshold)}`,
              `version ${check.version}`,
            ].join(" · ")}
      </p>
      {check.reason === null ? null : <p className="wrap-anywhere">{check.reason}</p>}
      {rules.length > 1 ? (
        <ul aria-label="Rules that applied" className="flex flex-col border-s-2 border-line ps-2 text-12">
          {rules.map((rule) => (
            <li key={rule.name} className="flex gap-2">
              <span className="min-w-0 flex-1 wrap-anywhere">{rule.reason ?? nameOf(rule)}</span>
              {isBrief ? null : (
                <span className="tabular text-muted">
                  {rule.score === null ? "–" : percentOf(rule.score)}
                </span>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function briefly({ score, threshold }: Check): string {
  if (score === null) return "No result";
  if (threshold === null) return "no threshold yet";
  return score >= threshold ? "Over its threshold" : "Below its threshold";
}

/** The text below says the same. */
function ScoreBar({ check: { score, threshold } }: { check: Check }) {
  const over = score !== null && threshold !== null && score >= threshold;
  return (
    <div aria-hidden className="relative h-2 rounded-full bg-wash">
      <div
        data-bar=""
        className={over ? "h-full rounded-full bg-warn" : "h-full rounded-full bg-line-strong"}
        style={{ width: `${Math.min(100, (score ?? 0) * 100)}%` }}
      />
      {threshold === null ? null : (
        <div
          data-bar=""
          className="absolute -top-1 h-4 w-0.5 -translate-x-1/2 bg-text rtl:translate-x-1/2"
          style={{ insetInlineStart: `${threshold * 100}%` }}
        />
      )}
    </div>
  );
}

function nameOf({ name }: Check): string {
  const plain = name.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
