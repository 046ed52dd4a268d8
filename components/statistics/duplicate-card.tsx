"use client";
import { useState } from "react";
import { FailedPostLine } from "#components/queue/failed-post.tsx";
import { MoveButton } from "#components/queue/move-button.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { FailedPost } from "#lib/review/failed-schema.ts";
import { DuplicateDistance } from "./duplicate-distance.tsx";
import { DuplicatePictures, type DuplicateView } from "./duplicate-pictures.tsx";
import { readReport } from "./read-report.ts";

const w = words.statistics;

export function DuplicateCard({ post, cover }: { post: FailedPost; cover: Cover }) {
  const [view, setView] = useState<DuplicateView>("side");
  const report = readReport(post);
  return (
    <li className="space-y-3 px-4 py-4">
      <FailedPostLine post={post} cover={cover} withPicture={false} />
      {report.isItself ? <Notice tone="info">{words.queue.probablyBoosted}</Notice> : null}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <DuplicateDistance postId={post.id} report={report} />
        <span className="ms-auto">
          <SegmentedControl
            label={w.view}
            value={view}
            onChange={(next) => setView(next as DuplicateView)}
            options={[
              { value: "side", label: w.sideBySide },
              { value: "overlay", label: w.overlay },
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
          {words.queue.markDelivered}
        </MoveButton>
      ) : null}
      {mayRequeue ? (
        <MoveButton move="requeue" postId={postId}>
          {words.queue.notDuplicate}
        </MoveButton>
      ) : null}
      {mayReview ? (
        <MoveButton move="reject" postId={postId}>
          {words.queue.isDuplicate}
        </MoveButton>
      ) : null}
    </div>
  );
}
