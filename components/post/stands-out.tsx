import { X } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import type { AuthorHistory } from "#lib/review/author-schema.ts";
import { CheckBadge, isNoteworthy, type Classified } from "./check-result.tsx";

/** Fewer rejections do not flag an author. */
const MIN_REJECTIONS = 3;

export function isOftenRejected({ approved, rejected }: AuthorHistory): boolean {
  return rejected >= MIN_REJECTIONS && rejected > approved;
}

export interface StandsOutProps {
  post: Classified & { author_history: AuthorHistory };
  onChecks: () => void;
}

/**
 * Warnings under the author's name, on screens without the side column. Only strong ones, because a line on every card
 * would be ignored.
 */
export function StandsOut({ post, onChecks }: StandsOutProps) {
  const { rejected } = post.author_history;
  const noteworthy = post.ai_would_reject !== null && isNoteworthy(post);
  const oftenRejected = isOftenRejected(post.author_history);
  if (!noteworthy && !oftenRejected) return null;
  return (
    <div className="flex flex-wrap items-center gap-1 wide:hidden">
      {noteworthy ? <CheckBadge post={post} onOpen={onChecks} /> : null}
      {oftenRejected ? (
        <span aria-hidden>
          <Badge tone="reject" icon={<X />}>
            {rejected} rejected
          </Badge>
        </span>
      ) : null}
    </div>
  );
}
