import { Columns2 } from "lucide-react";
import type { ReactNode } from "react";
import { StatePill } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { MediaThumb, type Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { SeenItem } from "#lib/client/desk/seen-before.ts";
import type { PostCard } from "#lib/review/post-schema.ts";

export interface ComparePicturesProps {
  post: PostCard;
  pairs: readonly [SeenItem, ...SeenItem[]];
  cover: Cover;
  revealed: boolean;
  onReveal: () => void;
}

export function ComparePictures({ post, pairs, ...covering }: ComparePicturesProps) {
  const [first] = pairs;
  return (
    <Dialog
      title="Compare pictures"
      description="The picture of this post and the earlier one."
      width="xl"
      trigger={
        <Button size="sm" icon={<Columns2 aria-hidden />}>
          Compare
          <span className="hidden-visually">{` with the post by ${first.author_account}`}</span>
        </Button>
      }
    >
      <ul className="flex flex-col gap-6">
        {pairs.map((item) => {
          const medium = post.media_attachments[item.medium];
          if (!medium) return null;
          return (
            <li key={item.medium} className="flex flex-col gap-2">
              {/* Both pictures have the same height and fit into the window. */}
              <div className="grid items-start gap-x-4 gap-y-3 desk:grid-cols-2 [&_figure>div]:max-h-[34dvh] desk:[&_figure>div]:max-h-[58dvh]">
                <figure className="min-w-0">
                  <MediaThumb postId={post.id} index={item.medium} media={medium} {...covering} />
                  <Caption title="This post" author={post.author_account} at={post.created_at} />
                </figure>
                <figure className="min-w-0">
                  <MediaThumb
                    postId={item.post_id}
                    index={item.post_medium}
                    media={{ ...medium, description: `Picture of the post by ${item.author_account}` }}
                    {...covering}
                  />
                  <Caption title="Seen before" author={item.author_account} at={item.created_at}>
                    <SeenOutcome item={item} />
                    <Link href={`/posts/${item.post_id}`} external>
                      Open post
                    </Link>
                  </Caption>
                </figure>
              </div>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function Caption({
  title,
  author,
  at,
  children,
}: {
  title: string;
  author: string;
  at: string;
  children?: ReactNode;
}) {
  return (
    <figcaption className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
      <span dir="auto" className="w-full min-w-0 truncate" title={author}>
        <span className="text-muted">{title}: </span>
        <bdi className="font-medium">{author}</bdi>
      </span>
      <span className="text-muted">
        Posted <RelativeTime at={at} />
      </span>
      {children}
    </figcaption>
  );
}

export function SeenOutcome({ item }: { item: SeenItem }) {
  const state = seenState(item);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <StatePill state={state} />
      {item.reviewed_at === null ? null : (
        <span>
          {state === "approved" || state === "rejected" ? null : "approved "}
          <RelativeTime at={item.reviewed_at} />
        </span>
      )}
    </span>
  );
}

/** Review state; after the hand-out, the queue state. */
export function seenState({ approved, queue_status: queue }: SeenItem) {
  if (approved === null) return "unreviewed";
  if (!approved) return "rejected";
  return queue === null || queue === "pending" ? "approved" : queue;
}
