"use client";
import { Panel } from "#components/ui/card.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useApi } from "#lib/client/use-api.ts";
import type { FailedPosts } from "#lib/review/failed-schema.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { DuplicateCard } from "./duplicate-card.tsx";

const REFRESH_MS = 30_000;

export interface DuplicatesPanelProps {
  duplicates: ErrorStats["duplicates"];
  /** The member's choice for media that start covered. */
  cover?: Cover;
}

export function DuplicatesPanel({ duplicates, cover = "blur" }: DuplicatesPanelProps) {
  const isEmpty = duplicates.length === 0;
  const { data } = useApi<FailedPosts>(isEmpty ? null : "/curated/errors?duplicates=true&limit=100", {
    refreshEvery: REFRESH_MS,
  });
  return (
    <Panel
      id="duplicates"
      title="Reported duplicates"
      description="Posts with a picture that a bot found among those already boosted."
      flush
    >
      {isEmpty ? (
        <EmptyState title="No duplicates reported" className="py-8" />
      ) : data === undefined ? (
        <SkeletonRows rows={3} />
      ) : (
        <ul className="divide-y divide-line">
          {data.items.map((post) => (
            <DuplicateCard key={post.id} post={post} cover={cover} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
