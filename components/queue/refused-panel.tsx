"use client";
import { Panel } from "#components/ui/card.tsx";
import { useNow } from "#components/ui/clock-context.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount, formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { MoveButton } from "./move-button.tsx";
import { PostLine } from "./post-line.tsx";

const w = words.queue;

/** Posts kept back because consumers gave them back or let them time out again and again. */
export function RefusedPanel({ posts }: { posts: ListedPost[] }) {
  const now = useNow();
  const mayOffer = useCan("admin");
  return (
    <Panel title={w.refusedTitle} description={w.refusedHint} flush>
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <PostLine
            key={post.post_id}
            post={post}
            facts={`${w.times(formatCount(post.refusals))} · ${returnOf(post, now)}`}
            action={
              mayOffer ? (
                <MoveButton move="offer-again" postId={post.post_id}>
                  {w.offerAgain}
                </MoveButton>
              ) : null
            }
          />
        ))}
      </ul>
    </Panel>
  );
}

function returnOf(post: ListedPost, now: number): string {
  const left = Math.round((Date.parse(post.not_before ?? "") - now) / 1000);
  return left > 0 ? w.returnsIn(formatDuration(left)) : w.returnsNow;
}
