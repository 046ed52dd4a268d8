"use client";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { Countdown } from "./countdown.tsx";
import { PostLine } from "./post-line.tsx";

const w = words.queue;

export function ReservationsPanel({ posts }: { posts: ListedPost[] }) {
  return (
    <Panel title={w.withConsumers} description={w.withConsumersHint} flush>
      {posts.length === 0 ? (
        <EmptyState title={w.withConsumersEmpty} className="py-8">
          <Link href="/settings/keys#connect">{w.withConsumersEmptyHint}</Link>
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <PostLine
              key={post.post_id}
              post={post}
              facts={
                <>
                  {post.reserved_by ?? words.common.unknown} ·{" "}
                  <Countdown until={post.reserved_until} left={w.endsIn} over={w.expired} />
                </>
              }
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
