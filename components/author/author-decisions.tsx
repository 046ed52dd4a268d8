import { EmojiText } from "#components/post/emoji-text.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { Author } from "#lib/review/author-schema.ts";

export function AuthorDecisions({ decisions }: { decisions: Author["last_decisions"] }) {
  return (
    <Panel title="Recent decisions" description="Newest first." flush>
      {decisions.length === 0 ? (
        <EmptyState title="No decisions yet" className="py-8" />
      ) : (
        <ol className="max-h-96 divide-y divide-line overflow-y-auto">
          {decisions.map((decision) => (
            <li key={decision.post_id} className="flex items-start gap-3 px-4 py-2 text-13">
              <StatePill state={reviewState(decision)} className="mt-px" />
              <div className="min-w-0 flex-1">
                <Link
                  href={`/posts/${decision.post_id}`}
                  tone="plain"
                  prefetch={false}
                  dir="auto"
                  className="block truncate"
                >
                  <EmojiText
                    text={decision.snippet || "No text"}
                    postId={decision.post_id}
                    emojis={decision.emojis}
                  />
                </Link>
                <p className="flex gap-1 text-12 text-muted">
                  <RelativeTime at={decision.reviewed_at} className="shrink-0" />
                  {reasonOf(decision) === "" ? null : (
                    <>
                      <span aria-hidden>·</span>
                      <span dir="auto" className="min-w-0 truncate">
                        {reasonOf(decision)}
                      </span>
                    </>
                  )}
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function reasonOf(decision: Author["last_decisions"][number]): string {
  const filter = decision.auto_reject_reason && reasonName(decision.auto_reject_reason);
  return [filter, decision.reject_reason_label, decision.reviewer_notes].filter(Boolean).join(" · ");
}
