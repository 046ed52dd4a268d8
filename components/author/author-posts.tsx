"use client";
import { useRef, useState } from "react";
import { PostsView } from "#components/browse/posts-view.tsx";
import { SeenPictures } from "#components/browse/seen-pictures.ts";
import { useRowReview } from "#components/browse/use-row-review.ts";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { formatCount } from "#components/format.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { ApiState } from "#lib/client/use-api.ts";
import type { PostList } from "#lib/review/post-schema.ts";

export function AuthorPosts({
  account,
  list,
  preferences,
  onChanged,
}: {
  account: string;
  preferences: DeskPreferences;
  list: ApiState<PostList>;
  onChanged: () => Promise<unknown>;
}) {
  const root = useRef<HTMLDivElement>(null);
  const [seen] = useState(() => new SeenPictures());
  const review = useRowReview(onChanged);
  const { data, failure } = list;
  return (
    <Panel
      title="Newest posts"
      actions={
        data && data.total > data.items.length ? (
          <Link href={withQuery("/posts", { author: account })} className="text-13">
            Show all {formatCount(data.total)}
          </Link>
        ) : undefined
      }
      flush
    >
      {failure && !data ? (
        <ErrorState
          title="The posts could not be loaded"
          failure={failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : data === undefined ? (
        <SkeletonRows rows={6} columns={4} />
      ) : data.items.length === 0 ? (
        <EmptyState title="No posts by this author" className="py-8">
          A choice made now applies when posts are fetched.
        </EmptyState>
      ) : (
        <div ref={root}>
          <PostsView
            view="list"
            posts={data.items}
            preferences={preferences}
            selection={null}
            states
            isFramed
            root={root}
            seen={seen}
            review={review}
          />
        </div>
      )}
    </Panel>
  );
}
