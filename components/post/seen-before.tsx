"use client";
import { plural } from "#components/format.ts";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { byPost, type SeenItem } from "#lib/client/desk/seen-before.ts";
import type { PostCard } from "#lib/review/post-schema.ts";
import { ComparePictures } from "./compare-pictures.tsx";
import { SeenOutcome } from "./seen-outcome.tsx";
import { SeenPicture } from "./seen-picture.tsx";

export interface SeenBeforeProps {
  post: PostCard;
  items: readonly SeenItem[];
  cover: Cover;
  revealed: boolean;
  onReveal: () => void;
}

export function SeenBefore({ post, items, cover, revealed, onReveal }: SeenBeforeProps) {
  return (
    <ul className="flex flex-col gap-3">
      {byPost(items).map((pairs) => {
        const [item] = pairs;
        return (
          <li key={item.post_id} data-seen={item.post_id} className="flex min-w-0 gap-3 text-13">
            <SeenPicture
              postId={item.post_id}
              medium={item.post_medium}
              size={320}
              alt={`Picture of the post by ${item.author_account}`}
              cover={cover}
              revealed={revealed}
              fit="cover"
              className="size-16 shrink-0"
            />
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
              <p dir="auto" className="w-full truncate font-medium" title={item.author_account}>
                {item.author_account}
              </p>
              <SeenOutcome item={item} />
              <p className="text-muted">
                Posted <RelativeTime at={item.created_at} />
                {pairs.length > 1 ? ` · ${plural(pairs.length, "picture", "pictures")}` : null}
              </p>
              <ComparePictures
                post={post}
                pairs={pairs}
                cover={cover}
                revealed={revealed}
                onReveal={onReveal}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
