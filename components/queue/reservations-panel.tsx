"use client";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { Countdown } from "./countdown.tsx";
import { PostLine } from "./post-line.tsx";

export function ReservationsPanel({ posts }: { posts: ListedPost[] }) {
  return (
    <Panel
      title="With boost bots"
      description="A reservation that times out returns the post to its position."
      flush
    >
      {posts.length === 0 ? (
        <EmptyState title="No reservations" className="py-8">
          <Link href="/settings/keys#connect">How boost bots connect</Link>
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <PostLine
              key={post.post_id}
              post={post}
              facts={
                <>
                  {post.reserved_by ?? "Unknown"} ·{" "}
                  <Countdown until={post.reserved_until} left={(time) => `ends in ${time}`} over="expired" />
                </>
              }
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
