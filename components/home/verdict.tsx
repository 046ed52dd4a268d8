import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { words } from "#components/words/en.ts";
import type { Attention } from "./attention-facts.ts";

const w = words.home.verdict;

/** Whether anything is wrong, and the next step. */
export function Verdict({ entries, next }: { entries: readonly Attention[]; next: Attention | undefined }) {
  const count = (severity: Attention["severity"]) =>
    entries.filter((entry) => entry.severity === severity).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const [Icon, tone] =
    problems > 0
      ? [OctagonAlert, "text-reject"]
      : warnings > 0
        ? [TriangleAlert, "text-warn"]
        : [CircleCheck, "text-approve"];
  const found = [
    problems > 0 ? w.problems(problems) : null,
    warnings > 0 ? w.warnings(warnings) : null,
  ].filter((text) => text !== null);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3" data-verdict>
      <Icon aria-hidden className={cn("size-6 shrink-0", tone)} />
      <div className="min-w-0 flex-1 basis-52">
        <h2 className={cn("text-16 font-semibold", tone)}>
          {found.length === 0 ? w.fine : found.join(", ")}
        </h2>
        <p className="text-14 wrap-anywhere">{next === undefined ? w.nothing : `${w.next} ${next.title}.`}</p>
      </div>
      {next === undefined ? null : (
        <ButtonLink href={next.href} variant="primary" className="max-desk:basis-full">
          {next.step}
        </ButtonLink>
      )}
    </div>
  );
}
