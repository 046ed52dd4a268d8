import { formatCount, plural } from "#components/format.ts";
import { FailedPostLine } from "#components/queue/failed-post.tsx";
import { RejectButton } from "#components/queue/reject-button.tsx";
import { reaches, type Role } from "#components/shell/roles.ts";
import { Panel } from "#components/ui/card.tsx";
import { ActionButton } from "#components/ui/action-form.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { listFailedPosts } from "#lib/review/failed-posts.ts";
import { getErrorStats } from "#lib/stats/get-stats.ts";
import { markDelivered, rejectGroup, requeue, requeueGroup } from "./actions.ts";

/** Maximum number of posts of one action. */
const MAX_POSTS = 1000;
/** Posts of a reason; a link leads to the others. */
const SHOWN = 5;

/** Failed posts by reason, with the newest of each. Nothing if there are none. */
export async function ErrorGroups() {
  const [{ role }, { groups }, { items }] = await Promise.all([
    requireMember(),
    getErrorStats(),
    listFailedPosts({ limit: 50 }),
  ]);
  if (groups.length === 0) return null;
  const byReason = Map.groupBy(items, (post) => post.error_reason ?? "");
  return (
    <Panel
      id="errors"
      title="Errors"
      description="Reported by boost bots. They are not requeued automatically."
      flush
    >
      <ul className="divide-y divide-line">
        {groups.map(({ reason, count, last_at }) => {
          const newest = (byReason.get(reason) ?? []).slice(0, SHOWN);
          return (
            <li key={reason} className="space-y-3 px-4 py-3 text-13">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <h3 dir="auto" className="min-w-0 flex-1 basis-64 font-medium wrap-anywhere">
                  {reason}
                </h3>
                <span className="tabular text-muted">
                  {plural(count, "post", "posts")} · <RelativeTime at={last_at} />
                </span>
                {reaches(role, "admin") && count > 1 ? (
                  <span className="flex flex-wrap gap-2">
                    <GroupButton kind="Requeue" reason={reason} count={count} />
                    <GroupButton kind="Reject" reason={reason} count={count} />
                  </span>
                ) : null}
              </div>
              <ul className="space-y-3">
                {newest.map((post) => (
                  <li key={post.id} className="border-s-2 border-line ps-3">
                    <FailedPostLine post={post} actions={<PostMoves postId={post.id} role={role} />} />
                  </li>
                ))}
              </ul>
              {count > newest.length ? (
                <Link href={withQuery("/posts", { queue_status: "error", error_reason: reason })}>
                  Show all {formatCount(count)}
                </Link>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

export interface PostMovesProps {
  postId: number;
  role: Role;
  /** Labels for a reported duplicate. */
  labels?: { requeue: string; reject: string };
}

export function PostMoves({ postId, role, labels }: PostMovesProps) {
  const fields = { id: postId };
  return (
    <>
      {reaches(role, "admin") ? (
        <ActionButton size="sm" action={requeue} fields={fields}>
          {labels?.requeue ?? "Requeue"}
        </ActionButton>
      ) : null}
      {reaches(role, "reviewer") ? (
        <>
          <ActionButton size="sm" action={markDelivered} fields={fields}>
            Mark as delivered
          </ActionButton>
          <RejectButton postId={postId}>{labels?.reject ?? "Reject"}</RejectButton>
        </>
      ) : null}
    </>
  );
}

/** Acts on the posts of a group, oldest first. */
function GroupButton({ kind, reason, count }: { kind: "Requeue" | "Reject"; reason: string; count: number }) {
  const limit = Math.min(count, MAX_POSTS);
  const label = `${kind} ${limit === count ? "all " : ""}${formatCount(limit)}`;
  return (
    <ActionButton
      size="sm"
      aria-label={`${label}: ${reason}`}
      action={kind === "Requeue" ? requeueGroup : rejectGroup}
      fields={{ reason, limit }}
      ask={
        kind === "Requeue"
          ? "They return to their old positions. Requeue a single one first to see whether the cause is gone."
          : "They are removed from the queue. The error stays in their history."
      }
    >
      {label}
    </ActionButton>
  );
}
