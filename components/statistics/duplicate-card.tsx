"use client";
import { useState } from "react";
import { FailedPostLine } from "#components/queue/failed-post.tsx";
import { MoveButton } from "#components/queue/move-button.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { Notice } from "#components/ui/states.tsx";
import type { FailedPost } from "#lib/review/failed-schema.ts";
import { DuplicateDistance } from "./duplicate-distance.tsx";
import { DuplicatePictures, type DuplicateView } from "./duplicate-pictures.tsx";
import { readReport } from "./read-report.ts";

export function DuplicateCard({ post, cover }: { post: FailedPost; cover: Cover }) {
  const [view, setView] = useState<DuplicateView>("side");
  const report = readReport(post);
  return (
    <li className="space-y-3 px-4 py-4">
      <FailedPostLine post={post} cover={cover} withPicture={false} />
      {report.isItself ? (
        <Notice tone="info">Probably boosted before: the boost bot recognised its own picture.</Notice>
      ) : null}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <DuplicateDistance report={report} />
        <span className="ms-auto">
          <SegmentedControl
            label="View"
            value={view}
            onChange={(next) => setView(next as DuplicateView)}
            options={[
              { value: "side", label: "Side by side" },
              { value: "overlay", label: "Overlay" },
            ]}
          />
        </span>
      </div>
      <DuplicatePictures post={post} report={report} view={view} cover={cover} />
      <Actions postId={post.id} isItself={report.isItself} />
    </li>
  );
}

function Actions({ postId, isItself }: { postId: number; isItself: boolean }) {
  const mayRequeue = useCan("admin");
  const mayReview = useCan("reviewer");
  return (
    <div className="flex flex-wrap gap-2">
      {mayReview ? (
        <MoveButton
          move="mark-delivered"
          postId={postId}
          {...(isItself ? { variant: "primary" as const } : {})}
        >
          Mark as delivered
        </MoveButton>
      ) : null}
      {mayRequeue ? (
        <MoveButton move="requeue" postId={postId}>
          Not a duplicate, requeue
        </MoveButton>
      ) : null}
      {mayReview ? (
        <MoveButton move="reject" postId={postId}>
          A duplicate, reject
        </MoveButton>
      ) : null}
    </div>
  );
}
