"use client";
import { useState } from "react";
import { Panel } from "#components/ui/card.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { byPost, type SeenItem } from "#lib/client/desk/seen-before.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { ComparePictures } from "./compare-pictures.tsx";
import { coverOf } from "./covered.ts";
import { PostCard } from "./post-card.tsx";
import { SeenOutcome } from "./compare-pictures.tsx";
import { StandsOut } from "./stands-out.tsx";
import { useLightbox } from "./use-lightbox.tsx";

/* The parts of a post's page that a person acts on. */

export function PostView({ post, cover }: { post: PostFile; cover: Cover }) {
  const [revealed, setRevealed] = useState(false);
  const [lightbox, enlarge] = useLightbox(post);
  return (
    <>
      <PostCard
        post={post}
        cover={cover}
        underAuthor={<StandsOut post={post} className="flex flex-wrap gap-1 wide:hidden" />}
        revealed={revealed}
        onReveal={() => setRevealed(true)}
        onOpenMedia={enlarge}
        eager
      />
      {lightbox}
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
