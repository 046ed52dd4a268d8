"use client";
import { Check, ChevronLeft, ChevronRight, Square, SquareCheck, X } from "lucide-react";
import { useEffect, type RefObject } from "react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { formatCount } from "#components/format.ts";
import { CheckResult } from "#components/post/check-result.tsx";
import { coverOf } from "#components/post/covered.ts";
import { useLightbox } from "#components/post/use-lightbox.tsx";
import { PostCard } from "#components/post/post-card.tsx";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { keySign } from "#lib/client/desk/keys.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Post, PostDetail } from "#lib/review/post-schema.ts";
import { useWatchedPictures } from "./seen-pictures.ts";

export interface PostPreviewProps {
  /** For the keys of the list. */
  body: RefObject<HTMLDivElement | null>;
  post: Post;
  position: number;
  count: number;
  cover: Cover;
  revealed: boolean;
  onReveal: () => void;
  /** To the post before or after. */
  onStep: (by: 1 | -1) => void;
  /** Undefined if the member may not review. */
  onDecide?: ((approved: boolean) => void) | undefined;
  selected: boolean;
  onToggle: () => void;
  onClose: () => void;
  /** Sets the focus. */
  onClosed: () => void;
}

/** A post of a list with all its pictures. Its keys are those of the list. */
export function PostPreview({ body, post, position, count, cover, revealed, ...props }: PostPreviewProps) {
  const keys = useDeskKeyMap();
  const [lightbox, enlarge] = useLightbox(post);
  const { onDecide } = props;
  useWatchedPictures(body, post, coverOf(post, cover) === "off" || revealed);
  useEffect(() => {
    body.current?.parentElement?.scrollTo({ top: 0 });
  }, [body, post.id]);
  // The list has no quote and no link card.
  const { data } = useApi<PostDetail>(`/posts/${post.id}`, { refreshOnFocus: false });
  const { quote = null, card = null, author_locked = false, author_created_at = null } = data ?? {};
  const step = (by: 1 | -1, label: string, kbd: string, icon: React.ReactNode) => (
    <IconButton
      label={label}
      {...(keys ? { kbd } : {})}
      size="md"
      icon={icon}
      aria-disabled={position + by < 0 || position + by >= count || undefined}
      onClick={() => props.onStep(by)}
    />
  );
  const decision = (verdict: "approve" | "reject", label: string, icon: React.ReactNode) => (
    <Button
      variant={verdict}
      icon={icon}
      {...(keys ? { kbd: keySign(keys[verdict]) } : {})}
      onClick={() => onDecide?.(verdict === "approve")}
    >
      {label}
    </Button>
  );
  return (
    <Dialog
      open
      width="lg"
      onOpenChange={(open) => !open && props.onClose()}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        props.onClosed();
      }}
      title={`Post by ${post.author_display_name ?? post.author_account}`}
      description={`${formatCount(position + 1)} of ${formatCount(count)}`}
      footer={
        <>
          {step(-1, "Previous post", "K", <ChevronLeft aria-hidden className="rtl:-scale-x-100" />)}
          {step(1, "Next post", "J", <ChevronRight aria-hidden className="rtl:-scale-x-100" />)}
          {onDecide ? (
            <>
              <Button
                variant="ghost"
                aria-pressed={props.selected}
                icon={props.selected ? <SquareCheck aria-hidden /> : <Square aria-hidden />}
                {...(keys ? { kbd: "X" } : {})}
                onClick={props.onToggle}
                className="me-auto"
              >
                Select
              </Button>
              <span className="flex gap-2 max-desk:w-full max-desk:*:flex-1">
                {decision("reject", "Reject", <X aria-hidden />)}
                {decision("approve", "Approve", <Check aria-hidden />)}
              </span>
            </>
          ) : null}
        </>
      }
    >
      <div ref={body} data-preview={post.id} className="flex flex-col gap-4 pt-1">
        <p className="flex flex-wrap items-center gap-2 text-13">
          {post.approved === null ? null : <StatePill state={reviewState(post)} />}
          <Link href={`/posts/${post.id}`} prefetch={false}>
            Open post
          </Link>
        </p>
        <PostCard
          post={{
            ...post,
            ...{ quote, card, author_locked, author_created_at },
            author_blocked: false,
            blocked_hashtags: [],
          }}
          cover={cover}
          revealed={revealed}
          onReveal={props.onReveal}
          onOpenMedia={enlarge}
          eager
        />
        <CheckResult post={post} />
      </div>
      {lightbox}
    </Dialog>
  );
}
