"use client";
import { formatCount } from "#components/format.ts";
import { Check, ChevronLeft, ChevronRight, Square, SquareCheck, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { DeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { CheckResult } from "#components/post/check-result.tsx";
import { Lightbox } from "#components/post/lightbox.tsx";
import { PostCard } from "#components/post/post-card.tsx";
import { addressOf } from "#components/post/post-offers.ts";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { notifyInfo } from "#components/ui/toast.tsx";
import { isCovered, isTyping, keySign, readPress, type DeskKeys, type Press } from "#lib/client/desk/keys.ts";
import { positionAfter, readListPress, type Move } from "#lib/client/desk/list-keys.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Post, PostDetail } from "#lib/review/post-schema.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { useWatchedPictures } from "./seen-pictures.ts";
import { isRtl } from "./use-post-focus.ts";

export interface PostPreviewProps {
  post: Post;
  /** In the order of the list. */
  posts: readonly Post[];
  cover: Cover;
  keys: DeskKeys | null;
  reasons: readonly RejectReason[];
  mayReview: boolean;
  selected: boolean;
  revealed: boolean;
  onReveal: () => void;
  onShow: (post: Post) => void;
  onDecide: (post: Post, approved: boolean, reason?: number) => void;
  onToggle?: () => void;
  onChecks?: () => void;
  onClose: () => void;
  /** Sets the focus. */
  onClosed: () => void;
}

/** A post with all its pictures, from a list. */
export function PostPreview(props: PostPreviewProps) {
  const { post, posts, cover, keys, mayReview, revealed } = props;
  const body = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<number | null>(null);
  const isOpen = cover === "off" || revealed;
  const at = posts.findIndex(({ id }) => id === post.id);
  useWatchedPictures(body, post, isOpen);
  useEffect(() => {
    body.current?.parentElement?.scrollTo({ top: 0 });
  }, [post.id]);

  const neighbour = (move: Move): Post | undefined => {
    const to = positionAfter(move, at, {
      count: posts.length,
      columns: 1,
      rtl: isRtl(document.documentElement),
    });
    return to === at ? undefined : posts[to];
  };
  const go = (move: Move) => {
    const to = neighbour(move);
    if (to) props.onShow(to);
  };
  const decide = (approved: boolean, reason?: number) => {
    if (!mayReview) return;
    if (approved && !isOpen) return notifyInfo("Show the covered media first");
    const next = neighbour("next") ?? neighbour("previous");
    props.onDecide(post, approved, reason);
    if (next) props.onShow(next);
    else props.onClose();
  };
  const onDesk = (press: Press): boolean => {
    if ("reason" in press) {
      const reason = props.reasons[press.reason - 1];
      if (reason !== undefined) decide(false, reason.id);
      return reason !== undefined;
    }
    switch (press.action) {
      case "approve":
      case "reject":
        decide(press.action === "approve");
        return true;
      case "reveal":
        props.onReveal();
        return true;
      case "open":
        window.open(addressOf(post), "_blank", "noopener,noreferrer");
        return true;
      case "enlarge":
        if (isOpen && post.media_attachments.length > 0) setPicture(0);
        return true;
      default:
        return false;
    }
  };
  usePreviewKeys(body, keys, onDesk, {
    go,
    toggle: () => props.onToggle?.(),
    close: props.onClose,
  });

  return (
    <DeskKeyMap value={keys}>
      <Dialog
        open
        width="lg"
        onOpenChange={(open) => !open && props.onClose()}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          props.onClosed();
        }}
        title={`Post by ${post.author_display_name ?? post.author_account}`}
        description={`${formatCount(at + 1)} of ${formatCount(posts.length)}`}
        footer={
          <>
            <IconButton
              label="Previous post"
              {...(keys ? { kbd: "K" } : {})}
              size="md"
              icon={<ChevronLeft aria-hidden className="rtl:-scale-x-100" />}
              aria-disabled={at <= 0 || undefined}
              onClick={() => go("previous")}
            />
            <IconButton
              label="Next post"
              {...(keys ? { kbd: "J" } : {})}
              size="md"
              icon={<ChevronRight aria-hidden className="rtl:-scale-x-100" />}
              aria-disabled={at >= posts.length - 1 || undefined}
              onClick={() => go("next")}
            />
            {props.onToggle ? (
              <Button
                variant="ghost"
                aria-pressed={props.selected}
                icon={props.selected ? <SquareCheck aria-hidden /> : <Square aria-hidden />}
                {...(keys ? { kbd: "X" } : {})}
                onClick={props.onToggle}
              >
                Select
              </Button>
            ) : null}
            <span className="me-auto" />
            {mayReview ? (
              <span className="flex gap-2 max-desk:w-full max-desk:*:flex-1">
                <Button
                  variant="reject"
                  icon={<X aria-hidden />}
                  {...(keys ? { kbd: keySign(keys.reject) } : {})}
                  onClick={() => decide(false)}
                >
                  Reject
                </Button>
                <Button
                  variant="approve"
                  icon={<Check aria-hidden />}
                  {...(keys ? { kbd: keySign(keys.approve) } : {})}
                  onClick={() => decide(true)}
                >
                  Approve
                </Button>
              </span>
            ) : null}
          </>
        }
      >
        <div ref={body} data-preview={post.id} className="flex flex-col gap-4 pt-1">
          <Preview {...props} onOpenMedia={setPicture} />
        </div>
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
      </Dialog>
    </DeskKeyMap>
  );
}

function Preview({
  post,
  cover,
  revealed,
  onReveal,
  onChecks,
  onOpenMedia,
}: PostPreviewProps & { onOpenMedia: (index: number) => void }) {
  // The list has no quote and no link card.
  const { data: detail } = useApi<PostDetail>(`/posts/${post.id}`, { refreshOnFocus: false });
  const { quote = null, card = null, author_locked = false, author_created_at = null } = detail ?? {};
  const whole = { ...post, quote, card, author_locked, author_created_at };
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-13">
        {post.approved === null ? null : <StatePill state={reviewState(post)} />}
        <Link href={`/posts/${post.id}`} prefetch={false}>
          Open post
        </Link>
      </p>
      <PostCard
        post={{ ...whole, author_blocked: false, blocked_hashtags: [] }}
        cover={cover}
        revealed={revealed}
        onReveal={onReveal}
        onOpenMedia={onOpenMedia}
        eager
      />
      <CheckResult post={post} onOpen={onChecks} />
    </>
  );
}

interface PreviewMoves {
  go: (move: Move) => void;
  toggle: () => void;
  close: () => void;
}

function usePreviewKeys(
  body: React.RefObject<HTMLElement | null>,
  keys: DeskKeys | null,
  onDesk: (press: Press) => boolean,
  moves: PreviewMoves,
): void {
  const latest = useRef({ keys, onDesk, moves });
  useEffect(() => {
    latest.current = { keys, onDesk, moves };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isCovered(body.current?.closest("[role=dialog]"))) return;
      const { keys: map, onDesk: act, moves: to } = latest.current;
      const press = readListPress(event, map !== null, "post");
      if (press && "move" in press) {
        event.preventDefault();
        if (press.move === "up" || press.move === "down")
          body.current?.parentElement?.scrollBy({ top: press.move === "up" ? -48 : 48 });
        else to.go(press.move);
      } else if (press && press.act === "select") {
        event.preventDefault();
        to.toggle();
      } else if (press && press.act === "preview" && !isControl(event.target)) {
        event.preventDefault();
        to.close();
      } else if (!press || press.act !== "open_page") {
        const desk = readPress(event, map);
        if (desk && act(desk)) event.preventDefault();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [body]);
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("button, a, input");
}
