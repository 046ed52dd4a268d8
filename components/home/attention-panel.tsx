import { CircleCheck } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { reaches, type Role } from "#components/shell/roles.ts";
import type { Attention } from "./attention-facts.ts";
import { AttentionRow } from "./attention-row.tsx";

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
  const { icon, severity, title, hint, href, step, least: minRole } = entry;
  const isAble = reaches(role, minRole);
  const isOthers = !isAble && minRole === "admin" && severity !== "note";
  return (
    <AttentionRow
      icon={icon}
      severity={severity}
      isLarge={isLarge}
      title={title}
      hint={
        isOthers ? (
          <>
            {hint} <span className="font-medium">Ask an admin.</span>
          </>
        ) : (
          hint
        )
      }
      action={
        <ButtonLink
          href={href}
          {...(isLarge && isAble ? { variant: "primary" as const } : { size: "sm" as const })}
          aria-label={`${step}: ${title}`}
        >
          {step}
        </ButtonLink>
      }
    />
  );
}
