import { CircleCheck } from "lucide-react";
import { reaches, type Role } from "#components/shell/roles.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { Attention, Severity } from "./attention.tsx";

const severities: Record<Severity, { word: string; tone: string }> = {
  problem: { word: "Problem", tone: "text-reject" },
  warning: { word: "Warning", tone: "text-warn" },
  work: { word: "To do", tone: "text-accent" },
  note: { word: "Note", tone: "text-muted" },
};

export interface AttentionPanelProps {
  role: Role;
  entries: readonly Attention[];
  nextFetch: string | undefined;
}

/** One list; its first row is large. */
export function AttentionPanel({ role, entries, nextFetch }: AttentionPanelProps) {
  return (
    <Panel title="Needs attention" flush>
      {entries.length === 0 ? (
        <EmptyState title="Nothing to do" icon={<CircleCheck aria-hidden />} className="py-8">
          {nextFetch === undefined ? (
            "New posts appear here after the next fetch."
          ) : (
            <>
              Next fetch of the streams <RelativeTime isAhead at={nextFetch} />.
            </>
          )}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {entries.map((entry, index) => (
            <Entry key={entry.key} entry={entry} role={role} isLarge={index === 0} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Entry({ entry, role, isLarge }: { entry: Attention; role: Role; isLarge: boolean }) {
  const { icon: Icon, severity, title, hint, href, step, least } = entry;
  const { word, tone } = severities[severity];
  const isAble = reaches(role, least);
  const isUrgent = severity === "problem" || severity === "warning";
  const isForAdmins = !isAble && least === "admin" && severity !== "note";
  return (
    <li
      className={cn(
        "flex flex-wrap items-start gap-x-3 gap-y-2 px-4 desk:items-center",
        isLarge ? "py-4" : "py-2.5",
      )}
    >
      <Icon aria-hidden className={cn("shrink-0", isLarge ? "size-6" : "size-5", tone)} />
      <div className="min-w-0 flex-1 basis-52">
        <p className={cn("tabular wrap-anywhere", isLarge ? "text-16 font-semibold" : "text-14 font-medium")}>
          <span className={isUrgent ? tone : "hidden-visually"}>{word}: </span>
          {title}
        </p>
        {hint || isForAdmins ? (
          <p className="text-13 wrap-anywhere text-muted">
            {hint} {isForAdmins ? <span className="font-medium">Ask an admin.</span> : null}
          </p>
        ) : null}
      </div>
      <div className="max-desk:basis-full max-desk:ps-8">
        <ButtonLink
          href={href}
          {...(isLarge && isAble ? { variant: "primary" as const } : { size: "sm" as const })}
          aria-label={`${step}: ${title}`}
        >
          {step}
        </ButtonLink>
      </div>
    </li>
  );
}
