import type { ReactNode } from "react";
import { plural } from "#components/format.ts";
import { LineLink } from "#components/post/line-link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { FailedPost } from "#lib/review/failed-schema.ts";

/**
 * Whether a bot reported the post as a duplicate of itself: it was boosted, and its ack was lost.
 */
export function matchesItself({ id, error_details }: { id: number; error_details: unknown }): boolean {
  const { matched_post_id } = (error_details ?? {}) as { matched_post_id?: unknown };
  return String(matched_post_id) === String(id);
}

export const matchesItselfText = "Probably boosted before: the boost bot recognised its own picture.";

/** Author and text of a failed post, the bot that reported it, and what can be done. */
export function FailedPostLine({ post, actions }: { post: FailedPost; actions?: ReactNode }) {
  const { spoiler_text: warning } = post;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 desk:flex-nowrap">
      <div className="min-w-0 flex-1 basis-48 space-y-0.5 text-13">
        <LineLink
          id={post.id}
          author={post.author_account}
          hasMedia={false}
          text={warning === null ? post.content_snippet : `Content warning: ${warning}`}
          emojis={post.emojis}
        />
        <p className="text-12 wrap-anywhere text-muted">
          Reported <RelativeTime at={post.errored_at} />
          {post.reported_by === null ? null : ` by ${post.reported_by}`} ·{" "}
          {plural(post.delivery_count, "attempt", "attempts")} · posted <RelativeTime at={post.created_at} />
        </p>
      </div>
      {actions ? <div className="flex flex-wrap gap-2 desk:justify-end">{actions}</div> : null}
    </div>
  );
}
