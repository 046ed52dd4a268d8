import { CircleHelp, Clock, ImageOff, ScanSearch, CircleCheck, TriangleAlert } from "lucide-react";
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

interface Result {
  text: string;
  tone: Tone;
  icon: ReactNode;
}

/** The order "unsure first" starts with scores between these. */
const UNSURE = [0.35, 0.65] as const;

function resultOf(post: Classified): Result {
  if (post.ai_would_reject === null)
    return { text: words.post.checksWaiting, tone: "neutral", icon: <Clock aria-hidden /> };
  if (post.ai_would_reject)
    return { text: words.post.checksReject, tone: "warn", icon: <TriangleAlert aria-hidden /> };
  if (post.vision_category === "unavailable")
    return { text: words.post.checksNoPicture, tone: "neutral", icon: <ImageOff aria-hidden /> };
  const score = post.ai_score ?? 0;
  if (post.vision_category === "uncertain" || (score >= UNSURE[0] && score <= UNSURE[1]))
    return { text: words.post.checksUnsure, tone: "info", icon: <CircleHelp aria-hidden /> };
  return { text: words.post.checksFine, tone: "neutral", icon: <CircleCheck aria-hidden /> };
}

/** Only noteworthy results are shown in grids. */
export function isNoteworthy(post: Classified): boolean {
  return resultOf(post).text !== words.post.checksFine;
}

export function CheckBadge({ post, className }: { post: Classified; className?: string }) {
  const { text, tone, icon } = resultOf(post);
  return (
    <Badge tone={tone} icon={icon} title={words.post.checksGuide} {...(className ? { className } : {})}>
      {text}
    </Badge>
  );
}

export function CheckResult({ post }: { post: Classified }) {
  const reasons = (post.ai_reasons ?? []).slice(0, 3);
  return (
    <div className="flex flex-col gap-1.5 text-13">
      <p className="flex items-center gap-2">
        <CheckBadge post={post} />
        {post.ai_score === null ? null : (
          <span className="tabular text-muted">
            {words.post.checksScore(formatPercent(post.ai_score * 100))}
          </span>
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
