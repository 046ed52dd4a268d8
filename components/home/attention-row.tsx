import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { words } from "#components/words/en.ts";
import type { Severity } from "./attention-facts.ts";

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
}

export function AttentionRow({ icon: Icon, severity, title, hint, action }: AttentionRowProps) {
  const word = words.home.severity[severity];
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5 desk:items-center">
      <Icon aria-hidden className={cn("size-5 shrink-0", tones[severity])} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="tabular text-14 font-medium wrap-anywhere">
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
