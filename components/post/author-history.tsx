"use client";
import { Ban, Check, X } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { cn } from "#components/ui/cn.ts";
import { FigureHelp } from "#components/ui/figure-help.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { formatDay } from "#components/format.ts";
import type { AuthorHistory as History } from "#lib/review/author-schema.ts";
import { EmojiText } from "./emoji-text.tsx";

export interface AuthorHistoryProps {
  history: History;
  blocked: boolean;
}

export function AuthorHistory({ history, blocked }: AuthorHistoryProps) {
  const { stored, approved, rejected, auto_rejected, last_decisions: last } = history;
  const decided = approved + rejected - auto_rejected;
  const zone = useTimeZone();
  return (
    <div className="flex flex-col gap-2 text-13">
      <p className="tabular flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex items-center text-muted">
          {stored} stored, {decided} decided
          <FigureHelp figure="author_decided" label="Author's record" />
        </span>
        {approved + rejected === 0 ? null : (
          <>
            <span className="inline-flex items-center gap-1">
              <Check aria-hidden className="size-4 text-approve" />
              {approved} approved
            </span>
            <span className="inline-flex items-center gap-1">
              <X aria-hidden className="size-4 text-reject" />
              {rejected} rejected
            </span>
          </>
        )}
        {blocked ? (
          <Badge tone="reject" icon={<Ban aria-hidden />}>
            Blocked
          </Badge>
        ) : null}
      </p>
      {approved + rejected > 0 ? (
        <div aria-hidden className="flex h-1 gap-0.5 overflow-hidden rounded-full">
          <div data-bar="" className="rounded-full bg-approve" style={{ flexGrow: approved }} />
          <div data-bar="frame" className="rounded-full bg-reject" style={{ flexGrow: rejected }} />
        </div>
      ) : null}
      {last.length > 0 ? (
        <ol aria-label="Recent decisions, newest first" className="flex flex-col gap-1">
          {last.slice(0, 3).map((decision) => (
            <li key={decision.post_id} className="flex min-w-0 items-center gap-1.5 text-muted">
              <Mark approved={decision.approved} />
              <span
                dir="auto"
                className="min-w-0 flex-1 truncate"
                title={`${formatDay(Date.parse(decision.reviewed_at), zone)}: ${decision.snippet}`}
              >
                <EmojiText text={decision.snippet} postId={decision.post_id} emojis={decision.emojis} />
              </span>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}

function Mark({ approved }: { approved: boolean }) {
  const Icon = approved ? Check : X;
  return (
    <>
      <Icon
        aria-hidden
        className={cn("size-3.5 shrink-0", approved ? "text-approve" : "text-reject")}
        strokeWidth={2.5}
      />
      <VisuallyHidden>{approved ? "Approved" : "Rejected"}: </VisuallyHidden>
    </>
  );
}
