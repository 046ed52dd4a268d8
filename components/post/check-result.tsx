import {
  ChevronRight,
  CircleCheck,
  CircleHelp,
  Clock,
  ImageOff,
  ScanSearch,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { isUnsure } from "#lib/client/desk/unsure.ts";
import type { Post } from "#lib/review/post-schema.ts";

export type Classified = Pick<
  Post,
  "ai_would_reject" | "ai_score" | "vision_category" | "ai_reasons" | "pictures_waiting"
>;

type Result = { text: string; tone: Tone; icon: LucideIcon };

const results = {
  waiting: { text: "Not checked yet", tone: "neutral", icon: Clock },
  reject: { text: "Checks would reject", tone: "warn", icon: TriangleAlert },
  unsure: { text: "Checks have doubts", tone: "info", icon: CircleHelp },
  noPicture: { text: "Pictures could not be checked", tone: "neutral", icon: ImageOff },
  fine: { text: "Checks see no problem", tone: "neutral", icon: CircleCheck },
} as const satisfies Record<string, Result>;

type Advised = Pick<Classified, "ai_would_reject" | "ai_score" | "vision_category">;

function resultOf(post: Advised): Result {
  if (post.ai_would_reject === null) return results.waiting;
  if (post.ai_would_reject) return results.reject;
  if (isUnsure(post)) return results.unsure;
  return post.vision_category === "unavailable" ? results.noPicture : results.fine;
}

export function resultText(post: Advised): string {
  return resultOf(post).text;
}

/** Whether a result is shown in lists and announced to screen readers. */
export function isNoteworthy(post: Advised): boolean {
  return resultOf(post) !== results.fine;
}

export interface CheckBadgeProps {
  post: Classified;
  /** Opens the panel with details. */
  onOpen?: () => void;
}

export function CheckBadge({ post, onOpen }: CheckBadgeProps) {
  const { text, tone, icon: Icon } = resultOf(post);
  const badge = (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {text}
    </Badge>
  );
  if (!onOpen) return badge;
  return (
    <button
      type="button"
      data-checks
      aria-label={`${text}. Show details`}
      aria-haspopup="dialog"
      onClick={onOpen}
      className="group/checks inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm pointer-coarse:-my-2.5 pointer-coarse:h-11"
    >
      {badge}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-hover/checks:text-text" />
    </button>
  );
}

export interface CheckResultProps {
  post: Classified;
  /** False if the reasons are shown elsewhere. */
  reasons?: boolean;
}

export function CheckResult({ post, reasons = true }: CheckResultProps) {
  return (
    <div className="flex flex-col gap-1.5 text-13">
      <p className="flex flex-wrap items-center gap-2">
        <CheckBadge post={post} />
      </p>
      {post.pictures_waiting ? (
        <p className="flex items-start gap-1.5 text-muted">
          <Clock aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span>Pictures are still to be checked. The advice may change.</span>
        </p>
      ) : null}
      {reasons && post.ai_reasons.length > 0 ? (
        <ul className="flex flex-col gap-1">
          {post.ai_reasons.slice(0, 3).map((reason) => (
            <li key={reason} className="flex items-start gap-1.5">
              <ScanSearch aria-hidden className="mt-px size-4 shrink-0 text-muted" />
              <span className="min-w-0 wrap-anywhere">{reason}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
