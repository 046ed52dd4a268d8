"use client";
import { Panel } from "#components/ui/card.tsx";
import { formatCount } from "#components/format.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { Countdown } from "./countdown.tsx";
import { PostLine } from "./post-line.tsx";
import { guessRefusal } from "./refusal-guess.ts";

const guesses = {
  silent: "Boost bots never answer. They probably drop the post or fail.",
  given_back: "Returned each time. Probably a field that boost bots need is missing.",
  no_text: "Returned each time, probably because it has no text.",
  mixed: "Returned or unanswered. Boost bots probably cannot find it on their server.",
} as const;

/** Kept back after repeated nacks or time-outs. */
export function RefusedPanel({ posts }: { posts: ListedPost[] }) {
  return (
    <Panel
      id="refused"
      title="Refused repeatedly"
      description="From the fourth refusal in a row, a post waits longer each time, up to an hour."
      flush
    >
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <PostLine
            key={post.post_id}
            post={post}
            facts={
              <>
                refused {formatCount(post.refusals)} times ·{" "}
                <Countdown
                  until={post.not_before}
                  left={(time) => `offered again in ${time}`}
                  over="offered again now"
                />
                <span className="block">{guesses[guessRefusal(post)]}</span>
              </>
            }
          />
        ))}
      </ul>
    </Panel>
  );
}
