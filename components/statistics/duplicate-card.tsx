"use client";
import { useState } from "react";
import { MoveButton } from "#components/queue/move-button.tsx";
import { Button } from "#components/ui/button.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/states.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { DuplicateComparison } from "#lib/media/schema.ts";
import { hashDistance } from "./hash-distance.ts";

const w = words.statistics;

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
const idOf = (value: unknown) => (/^[1-9]\d{0,9}$/.test(String(value)) ? String(value) : null);

export function DuplicateCard({ postId, details }: { postId: number; details: Record<string, unknown> }) {
  const [view, setView] = useState("side");
  const mayRequeue = useCan("admin");
  const mayReview = useCan("reviewer");
  const matchedId = idOf(details.matched_post_id);
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
            {...(matchedId && !isItself ? { href: `/posts/${matchedId}` } : {})}
            hash={theirs}
          />
        </div>
      ) : (
        <Overlay postId={postId} />
      )}
      <OwnComparison postId={postId} />
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
    </li>
  );
}

/** Missing pictures must be fetched, so only on request. */
function OwnComparison({ postId }: { postId: number }) {
  const [asked, setAsked] = useState(false);
  const { data, failure, loading } = useApi<DuplicateComparison>(
    asked ? `/stats/duplicates/${postId}` : null,
    { refreshOnFocus: false },
  );
  if (!asked || loading) {
    return (
      <Button size="sm" variant="ghost" pending={loading} onClick={() => setAsked(true)}>
        {w.compare}
      </Button>
    );
  }
  if (data === undefined) return <p className="text-13 text-muted">{failure?.detail}</p>;
  const problem = data.current.problem ?? data.matched.problem;
  return (
    <dl role="status" className="grid gap-x-4 gap-y-1 text-13 desk:grid-cols-[max-content_1fr]">
      <dt className="text-muted">{w.ownHashes}</dt>
      <dd className="font-mono text-12 wrap-anywhere">
        {data.current.dhash ?? "–"} / {data.matched.dhash ?? "–"}
      </dd>
      <dt className="text-muted">{w.ownDistance}</dt>
      <dd>
        {data.distance === null
          ? (problem ?? w.notComparable)
          : `${w.distance(formatCount(data.distance.dhash))} · ${data.same_picture ? w.samePicture : w.otherPicture}`}
      </dd>
    </dl>
  );
}

function source(postId: number, which: "current" | "matched"): string {
  return `/media/duplicate/${postId}/${which}`;
}

function Picture({
  postId,
  which,
  caption,
  href,
  hash,
}: {
  postId: number;
  which: "current" | "matched";
  caption: string;
  href?: string;
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
        {href ? (
          <Link href={href} tone="muted">
            {caption}
          </Link>
        ) : (
          caption
        )}
        {hash ? (
          <code className="ms-2 font-mono wrap-anywhere" title={w.hash}>
            {hash}
          </code>
        ) : null}
      </figcaption>
    </figure>
  );
}

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
