"use client";
import { useState } from "react";
import { ListPanel } from "#components/ui/list-panel.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { byPost, type SeenItem } from "#lib/client/desk/seen-before.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { ComparePictures, SeenOutcome } from "./compare-pictures.tsx";
import { coverOf } from "./covered.ts";
import { PostCard } from "./post-card.tsx";
import { useLightbox } from "./use-lightbox.tsx";

/* Interactive parts of the page of a post. */

export function PostView({ post, cover }: { post: PostFile; cover: Cover }) {
  const [revealed, setRevealed] = useState(false);
  const [lightbox, enlarge] = useLightbox(post);
  return (
    <>
      <PostCard
        post={post}
        cover={cover}
        revealed={revealed}
        onReveal={() => setRevealed(true)}
        onOpenMedia={enlarge}
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
    <ListPanel
      title="Seen before"
      rows={byPost(items).map((pairs) => ({
        key: pairs[0].post_id,
        title: pairs[0].author_account,
        facts: [<SeenOutcome item={pairs[0]} />],
        actions: (
          <ComparePictures
            post={post}
            pairs={pairs}
            cover={coverOf(post, cover)}
            revealed={revealed}
            onReveal={() => setRevealed(true)}
          />
        ),
      }))}
      empty={null}
    />
  );
}
