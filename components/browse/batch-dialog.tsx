"use client";
import { unseenLeftOut } from "#components/words.ts";
import { formatCount, plural } from "#components/format.ts";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { cn } from "#components/ui/cn.ts";
import { AlertDialog } from "#components/ui/dialog.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { plainText } from "#lib/client/plain-text.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { isUnseen, SeenPicturesStore, useSeen, type SeenPictures } from "./seen-pictures.ts";
import { TileMedia } from "./tile-media.tsx";
import { useBatchPreview } from "./use-batch-preview.ts";
import type { BatchOrder } from "./use-batch.ts";

const askBatch = {
  approve: (count: number) => `Approve ${plural(count, "post", "posts")}?`,
  reject: (count: number) => `Reject ${plural(count, "post", "posts")}?`,
} as const;

/** Without a preview, a batch decides on as many posts as a person keeps in view. */
export const MAX_WITHOUT_PREVIEW = 10;

export interface BatchDialogProps {
  order: BatchOrder;
  /** Posts of the page when the batch was asked for. */
  posts: readonly Post[];
  cover: Cover;
  seen: SeenPictures;
  onConfirm: (ids: readonly number[], as_of?: string) => void;
  onClose: () => void;
}

export function BatchDialog({ order, posts, cover, seen: store, onConfirm, onClose }: BatchDialogProps) {
  const seen = useSeen(store);
  const isApproval = order.decision === "approve";
  const decided = posts.filter((post) => !isApproval || !isUnseen(post, seen));
  const remaining = posts.length - decided.length;
  const ids = decided.map((post) => post.id);
  const preview = useBatchPreview(order, ids);
  const count = preview?.changed ?? ids.length;
  const stays = new Map(preview?.unchanged.map(({ post_id, detail }) => [post_id, detail]));
  return (
    <AlertDialog
      open
      width="xl"
      tone={isApproval ? "primary" : "danger"}
      onOpenChange={(open) => !open && onClose()}
      title={askBatch[order.decision](count)}
      description={
        <>
          <p>Only these posts. One undo restores all of them.</p>
          <p role="status" className="text-warn">
            {remaining > 0 ? unseenLeftOut(remaining) : null}
          </p>
        </>
      }
      confirm={isApproval ? `Approve ${formatCount(count)}` : `Reject ${formatCount(count)}`}
      onConfirm={() => onConfirm(ids, preview?.as_of)}
    >
      <SeenPicturesStore value={store}>
        <ul
          aria-label="Posts"
          // Scrolls by keyboard.
          tabIndex={0}
          className="grid grid-cols-2 gap-2 desk:grid-cols-4 wide:grid-cols-5"
        >
          {posts.map((post) => {
            const reason =
              isApproval && isUnseen(post, seen) ? "Pictures not seen yet" : (stays.get(post.id) ?? null);
            return (
              <li
                key={post.id}
                data-batch-post={post.id}
                data-left-out={reason ?? undefined}
                className="flex min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface text-12"
              >
                {reason === null ? null : <p className="bg-wash px-2 py-1 font-medium">{reason}</p>}
                <div className={cn("flex flex-col", reason !== null && "opacity-50")}>
                  <TileMedia post={post} preference={cover} />
                  <div className="min-w-0 p-2">
                    <p className="truncate font-medium">
                      <bdi>
                        <EmojiText
                          text={post.author_display_name ?? post.author_account}
                          postId={post.id}
                          emojis={post.emojis}
                        />
                      </bdi>
                    </p>
                    <p dir="auto" className="line-clamp-3 text-muted wrap-anywhere">
                      <EmojiText text={plainText(post.content)} postId={post.id} emojis={post.emojis} />
                    </p>
                  </div>
                </div>
              </li>
            );
          })}
        </ul>
      </SeenPicturesStore>
    </AlertDialog>
  );
}
