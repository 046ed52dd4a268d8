"use client";
import { useState } from "react";
import { MoveButton } from "#components/queue/move-button.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/states.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { hashDistance } from "./hash-distance.ts";

const w = words.statistics;

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

/** One reported duplicate: both pictures, both hashes as reported, and what can be done about it. */
export function DuplicateCard({ postId, details }: { postId: number; details: Record<string, unknown> }) {
  const [view, setView] = useState("side");
  const mayRequeue = useCan("admin");
  const mayReview = useCan("reviewer");
  const matchedId = textOf(details.matched_post_id);
  const kind = textOf(details.match_type);
  const [mine, theirs] = [textOf(details.current_dhash), textOf(details.matched_dhash)];
  const distance = hashDistance(mine, theirs);
  const isItself = matchedId === String(postId);
  return (
    <li className="space-y-3 px-4 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13">
        <Link href={`/posts/${postId}`} className="tabular font-medium">
          {words.queue.post} {postId}
        </Link>
        <span className="text-muted">
          {kind ? w.matchType(kind) : null}
          {distance === null ? null : ` · ${w.distance(formatCount(distance))}`}
        </span>
        <span className="ms-auto">
          <SegmentedControl
            label={w.sideBySide}
            value={view}
            onChange={setView}
            options={[
              { value: "side", label: w.sideBySide },
              { value: "overlay", label: w.overlay },
            ]}
          />
        </span>
      </div>
      {isItself ? <Notice tone="info">{words.queue.probablyBoosted}</Notice> : null}
      {view === "side" ? (
        <div className="grid max-w-3xl grid-cols-2 gap-3">
          <Picture postId={postId} which="current" caption={w.reportedPicture} hash={mine} />
          <Picture
            postId={postId}
            which="matched"
            caption={matchedId ? `${w.matchedPicture} ${w.ofPost(matchedId)}` : w.matchedPicture}
            hash={theirs}
          />
        </div>
      ) : (
        <Overlay postId={postId} />
      )}
      <div className="flex flex-wrap gap-2">
        {mayRequeue ? (
          <MoveButton move="requeue" postId={postId}>
            {words.queue.notDuplicate}
          </MoveButton>
        ) : null}
        {mayReview ? (
          <MoveButton move="mark-delivered" postId={postId}>
            {words.queue.markDelivered}
          </MoveButton>
        ) : null}
      </div>
    </li>
  );
}

function source(postId: number, which: "current" | "matched"): string {
  return `/media/duplicate/${postId}/${which}`;
}

function Picture({
  postId,
  which,
  caption,
  hash,
}: {
  postId: number;
  which: "current" | "matched";
  caption: string;
  hash: string | null;
}) {
  const [missing, setMissing] = useState(false);
  return (
    <figure className="min-w-0">
      <div className="flex aspect-4/3 items-center justify-center overflow-hidden rounded-md border border-line bg-wash">
        {missing ? (
          <span className="px-2 text-center text-13 text-muted">{w.noPicture}</span>
        ) : (
          <img
            src={source(postId, which)}
            alt={caption}
            loading="lazy"
            className="h-full w-full object-contain"
            onError={() => setMissing(true)}
          />
        )}
      </div>
      <figcaption className="mt-1 text-12 text-muted">
        {caption}
        {hash ? (
          <code className="ms-2 font-mono wrap-anywhere" title={w.hash}>
            {hash}
          </code>
        ) : null}
      </figcaption>
    </figure>
  );
}

/** The recognised picture over the reported one; the slider fades it. */
function Overlay({ postId }: { postId: number }) {
  const [amount, setAmount] = useState(50);
  return (
    <div className="max-w-xl space-y-2">
      <div className="relative aspect-4/3 overflow-hidden rounded-md border border-line bg-wash">
        <img
          src={source(postId, "current")}
          alt={w.reportedPicture}
          className="absolute inset-0 h-full w-full object-contain"
        />
        <img
          src={source(postId, "matched")}
          alt={w.matchedPicture}
          className="absolute inset-0 h-full w-full object-contain"
          style={{ opacity: amount / 100 }}
        />
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={amount}
        aria-label={w.overlayAmount}
        className="w-full accent-(--accent-fill) pointer-coarse:h-11"
        onChange={(event) => setAmount(Number(event.target.value))}
      />
    </div>
  );
}
