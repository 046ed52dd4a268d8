import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

const tones = { accent: "text-accent", warn: "text-warn", reject: "text-reject", muted: "text-muted" };

export interface WaitingRowProps {
  icon: LucideIcon;
  tone: keyof typeof tones;
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
}

export function WaitingRow({ icon: Icon, tone, title, hint, action }: WaitingRowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3 desk:items-center">
      <Icon aria-hidden className={cn("size-5 shrink-0", tones[tone])} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="tabular text-14 font-medium wrap-anywhere">{title}</p>
        {hint ? <p className="text-13 wrap-anywhere text-muted">{hint}</p> : null}
      </div>
      {action ? <div className="flex flex-wrap gap-2 max-desk:basis-full max-desk:ps-8">{action}</div> : null}
    </li>
  );
}
