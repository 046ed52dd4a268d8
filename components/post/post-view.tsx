"use client";
import { useState } from "react";
import { Panel } from "#components/ui/card.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { byPost, type SeenItem } from "#lib/client/desk/seen-before.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { ComparePictures } from "./compare-pictures.tsx";
import { coverOf } from "./covered.ts";
import { PostCard } from "./post-card.tsx";
import { SeenOutcome } from "./seen-outcome.tsx";
import { StandsOut } from "./stands-out.tsx";

const Lightbox = lazyWithRetry(
  () => import("./lightbox.tsx").then((module) => module.Lightbox),
  LoadingNotice,
);

/* The parts of a post's page that a person acts on. */

export function PostView({ post, cover }: { post: PostFile; cover: Cover }) {
  const [revealed, setRevealed] = useState(false);
  const [picture, setPicture] = useState<number | null>(null);
  return (
    <>
      <PostCard
        post={post}
        cover={cover}
        underAuthor={<StandsOut post={post} className="flex flex-wrap gap-1 wide:hidden" />}
        revealed={revealed}
        onReveal={() => setRevealed(true)}
        onOpenMedia={setPicture}
        eager
      />
      {picture === null ? null : (
        <Lightbox
          postId={post.id}
          original={post.url ?? post.post_id}
          media={post.media_attachments}
          index={picture}
          onIndex={setPicture}
          onClose={() => setPicture(null)}
        />
      )}
    </>
  );
}

export function SeenPanel({
  post,
  items,
  cover,
}: {
  post: PostFile;
  items: readonly SeenItem[];
  cover: Cover;
}) {
  const [revealed, setRevealed] = useState(false);
  if (items.length === 0) return null;
  return (
    <Panel title="Seen before">
      <ul className="flex flex-col gap-3">
        {byPost(items).map((pairs) => {
          const [item] = pairs;
          return (
            <li
              key={item.post_id}
              data-seen={item.post_id}
              className="flex min-w-0 items-center gap-3 text-13"
            >
              <div className="min-w-0 flex-1">
                <p dir="auto" className="truncate font-medium" title={item.author_account}>
                  {item.author_account}
                </p>
                <SeenOutcome item={item} />
              </div>
              <ComparePictures
                post={post}
                pairs={pairs}
                cover={coverOf(post, cover)}
                revealed={revealed}
                onReveal={() => setRevealed(true)}
              />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
