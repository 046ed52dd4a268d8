import { stateLabels } from "#components/words.ts";
import {
  Ban,
  Check,
  CheckCheck,
  Circle,
  CircleDashed,
  CirclePause,
  CirclePlay,
  CircleSlash,
  Clock,
  Hourglass,
  KeyRound,
  LoaderCircle,
  OctagonAlert,
  TriangleAlert,
  X,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn.ts";

export type Tone = "neutral" | "accent" | "approve" | "reject" | "warn" | "info";

const tones: Record<Tone, string> = {
  neutral: "bg-wash text-text",
  accent: "bg-accent-quiet text-accent",
  approve: "bg-approve-quiet text-approve",
  reject: "bg-reject-quiet text-reject",
  warn: "bg-warn-quiet text-warn",
  info: "bg-info-quiet text-info",
};

export interface BadgeProps {
  children: ReactNode;
  tone?: Tone;
  /** Icon with the same meaning as the colour. */
  icon?: ReactNode;
  title?: string;
  className?: string;
}

export function Badge({ children, tone = "neutral", icon, title, className }: BadgeProps) {
  return (
    <span
      title={title}
      className={cn(
        "inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-sm px-1.5 text-12 font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0",
        tones[tone],
        className,
      )}
    >
      {icon}
      <span dir="auto" className="truncate">
        {children}
      </span>
    </span>
  );
}

/** Texts are in `stateLabels` (words.ts). */
const states = {
  unreviewed: [CircleDashed, "neutral"],
  approved: [Check, "approve"],
  rejected: [X, "reject"],
  auto_rejected: [Ban, "reject"],
  pending: [Circle, "info"],
  reserved: [Hourglass, "accent"],
  delivered: [CheckCheck, "approve"],
  error: [OctagonAlert, "reject"],
  held: [CirclePause, "warn"],
  active: [CirclePlay, "approve"],
  checking: [LoaderCircle, "info"],
  working: [CirclePlay, "approve"],
  waiting_for_token: [KeyRound, "warn"],
  paused: [CirclePause, "neutral"],
  failing: [TriangleAlert, "reject"],
  expired: [Clock, "warn"],
  disabled: [CircleSlash, "neutral"],
} as const satisfies Record<string, readonly [LucideIcon, Tone]>;

export type PillState = keyof typeof states;

export interface StatePillProps {
  state: PillState;
  detail?: ReactNode;
  title?: string;
}

/** A state as icon, text and colour. */
export function StatePill({ state, detail, title }: StatePillProps) {
  const [Icon, tone] = states[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden strokeWidth={2.5} />} title={title}>
      {stateLabels[state]}
      {detail ? <span className="font-normal">: {detail}</span> : null}
    </Badge>
  );
}

export function reviewState(post: {
  approved: boolean | null;
  auto_reject_reason?: string | null;
}): PillState {
  if (post.approved === null) return "unreviewed";
  if (post.approved) return "approved";
  return post.auto_reject_reason ? "auto_rejected" : "rejected";
}
