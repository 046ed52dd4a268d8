import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import type { Severity } from "./attention-facts.ts";

/** Read by screen readers before the title of an entry. */
const homeSeverity = { problem: "Problem", warning: "Warning", work: "To do", note: "Note" } as const;

const tones: Record<Severity, string> = {
  problem: "text-reject",
  warning: "text-warn",
  work: "text-accent",
  note: "text-muted",
};

export interface AttentionRowProps {
  icon: LucideIcon;
  severity: Severity;
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
  isLarge?: boolean;
}

export function AttentionRow(props: AttentionRowProps) {
  const { icon: Icon, severity, title, hint, action, isLarge = false } = props;
  const word = homeSeverity[severity];
  return (
    <li
      className={cn(
        "flex flex-wrap items-start gap-x-3 gap-y-2 px-4 desk:items-center",
        isLarge ? "py-4" : "py-2.5",
      )}
    >
      <Icon aria-hidden className={cn("shrink-0", isLarge ? "size-6" : "size-5", tones[severity])} />
      <div className="min-w-0 flex-1 basis-52">
        <p className={cn("tabular wrap-anywhere", isLarge ? "text-16 font-semibold" : "text-14 font-medium")}>
          {severity === "problem" || severity === "warning" ? (
            <span className={tones[severity]}>{word}: </span>
          ) : (
            <VisuallyHidden>{word}: </VisuallyHidden>
          )}
          {title}
        </p>
        {hint ? <p className="text-13 wrap-anywhere text-muted">{hint}</p> : null}
      </div>
      {action ? <div className="flex flex-wrap gap-2 max-desk:basis-full max-desk:ps-8">{action}</div> : null}
    </li>
  );
}
