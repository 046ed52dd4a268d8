import { CircleHelp, Clock, ImageOff, ScanSearch, Sparkles, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import * as words from "#components/words/desk.ts";
import { formatPercent } from "#components/words/format.ts";

export interface Classified {
  ai_would_reject: boolean | null;
  ai_score: number | null;
  vision_category: string | null;
  ai_reasons?: readonly string[];
}

interface Verdict {
  text: string;
  tone: Tone;
  icon: ReactNode;
}

/** The order "unsure first" starts with scores between these. */
const UNSURE = [0.35, 0.65] as const;

function verdictOf(post: Classified): Verdict {
  if (post.ai_would_reject === null)
    return { text: words.post.aiWaiting, tone: "neutral", icon: <Clock aria-hidden /> };
  if (post.ai_would_reject)
    return { text: words.post.aiReject, tone: "warn", icon: <TriangleAlert aria-hidden /> };
  if (post.vision_category === "unavailable")
    return { text: words.post.aiNoPicture, tone: "neutral", icon: <ImageOff aria-hidden /> };
  const score = post.ai_score ?? 0;
  if (post.vision_category === "uncertain" || (score >= UNSURE[0] && score <= UNSURE[1]))
    return { text: words.post.aiUnsure, tone: "info", icon: <CircleHelp aria-hidden /> };
  return { text: words.post.aiFine, tone: "neutral", icon: <Sparkles aria-hidden /> };
}

/** Only noteworthy results are shown in grids. */
export function isNoteworthy(post: Classified): boolean {
  return verdictOf(post).text !== words.post.aiFine;
}

export function AiBadge({ post, className }: { post: Classified; className?: string }) {
  const { text, tone, icon } = verdictOf(post);
  return (
    <Badge tone={tone} icon={icon} title={words.post.aiGuide} {...(className ? { className } : {})}>
      {text}
    </Badge>
  );
}

export function AiVerdict({ post }: { post: Classified }) {
  const reasons = (post.ai_reasons ?? []).slice(0, 3);
  return (
    <div className="flex flex-col gap-1.5 text-13">
      <p className="flex items-center gap-2">
        <AiBadge post={post} />
        {post.ai_score === null ? null : (
          <span className="tabular text-muted">{words.post.aiScore(formatPercent(post.ai_score * 100))}</span>
        )}
      </p>
      {reasons.length > 0 ? (
        <ul className="flex flex-col gap-1">
          {reasons.map((reason) => (
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
