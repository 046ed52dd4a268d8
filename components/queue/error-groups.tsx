"use client";
import { ChevronDown, ChevronRight, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, plural } from "#components/format.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { FailedPost, FailedPosts } from "#lib/review/failed-schema.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { ErrorGroupDialog } from "./error-group-dialog.tsx";
import { FailedPostLine } from "./failed-post.tsx";
import { MoveButton } from "./move-button.tsx";

/** Posts of a group before it is opened, as the server sends them; and after. */
const FEW = 3;
const MOST = 50;
const REFRESH_MS = 30_000;

type Group = ErrorStats["groups"][number];

export interface ErrorGroupsProps {
  errors: ErrorStats;
  /** The newest posts of each group. */
  failed: FailedPosts;
  cover: Cover;
}

export function ErrorGroups({ errors, failed, cover }: ErrorGroupsProps) {
  const posts =
    useApi<FailedPosts>("/curated/errors", { fallback: failed, refreshEvery: REFRESH_MS }).data ?? failed;
  const byReason = Map.groupBy(posts.items, (post) => post.error_reason ?? "");
  return (
    <Panel
      id="errors"
      title="Errors"
      description="Reported by boost bots. These posts are not offered again automatically."
      flush
    >
      {errors.groups.length === 0 ? (
        <EmptyState title="No errors" className="py-8">
          Posts that a boost bot could not use appear here with the reason.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {errors.groups.map((group) => (
            <ErrorGroup
              key={group.reason}
              group={group}
              newest={byReason.get(group.reason) ?? []}
              cover={cover}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ErrorGroup({ group, newest, cover }: { group: Group; newest: FailedPost[]; cover: Cover }) {
  const [all, setAll] = useState(false);
  const mayManage = useCan("admin");
  const { data, loading } = useApi<FailedPosts>(
    all ? withQuery("/curated/errors", { reason: group.reason, limit: MOST }) : null,
  );
  const posts = all ? (data?.items ?? newest) : newest;
  const rest = group.count - posts.length;
  const Chevron = all ? ChevronDown : ChevronRight;
  return (
    <li className="space-y-3 px-4 py-3 text-13">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 dir="auto" className="min-w-0 flex-1 basis-64 font-medium wrap-anywhere">
          {group.reason}
        </h3>
        <span className="tabular text-muted">
          {plural(group.count, "post", "posts")} · <RelativeTime at={group.last_at} />
        </span>
        {mayManage && group.count > 1 ? (
          <span className="flex flex-wrap gap-2">
            <ErrorGroupDialog
              kind="requeue"
              reason={group.reason}
              count={group.count}
              icon={<RotateCcw aria-hidden />}
            />
            <ErrorGroupDialog kind="dismiss" reason={group.reason} count={group.count} />
          </span>
        ) : null}
      </div>
      <ul className="space-y-3">
        {posts.map((post) => (
          <li key={post.id} className="border-s-2 border-line ps-3">
            <FailedPostLine post={post} cover={cover} actions={<PostActions postId={post.id} />} />
          </li>
        ))}
      </ul>
      {group.count > FEW && (!all || loading) ? (
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={all}
          pending={loading}
          icon={<Chevron aria-hidden />}
          onClick={() => setAll(true)}
        >
          Show {formatCount(Math.min(group.count, MOST))}
        </Button>
      ) : null}
      {all && !loading && rest > 0 ? <p className="text-muted">And {formatCount(rest)} older ones</p> : null}
    </li>
  );
}

function PostActions({ postId }: { postId: number }) {
  const mayManage = useCan("admin");
  const mayReview = useCan("reviewer");
  return (
    <>
      {mayManage ? (
        <MoveButton move="requeue" postId={postId}>
          Requeue
        </MoveButton>
      ) : null}
      {mayReview ? (
        <>
          <MoveButton move="mark-delivered" postId={postId}>
            Mark as delivered
          </MoveButton>
          <MoveButton move="reject" postId={postId}>
            Reject
          </MoveButton>
        </>
      ) : null}
    </>
  );
}
