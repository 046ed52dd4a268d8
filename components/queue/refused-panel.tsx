"use client";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import { formatCount } from "#components/words/format.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { Countdown } from "./countdown.tsx";
import { PostLine } from "./post-line.tsx";
import { guessRefusal } from "./refusal-guess.ts";

const w = words.queue;

/** Kept back after repeated nacks or time-outs. */
export function RefusedPanel({ posts }: { posts: ListedPost[] }) {
  return (
    <Panel id="refused" title={w.refusedTitle} description={w.refusedHint} flush>
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <PostLine
            key={post.post_id}
            post={post}
            facts={
              <>
                {w.times(formatCount(post.refusals))} ·{" "}
                <Countdown until={post.not_before} left={w.returnsIn} over={w.returnsNow} />
                <span className="block">{w.guesses[guessRefusal(post)]}</span>
              </>
            }
          />
        ))}
      </ul>
    </Panel>
  );
}
