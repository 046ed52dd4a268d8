import { AudioLines, EyeOff } from "lucide-react";
import { memo, useRef } from "react";
import { plural } from "#components/format.ts";
import { CheckBadge, isNoteworthy } from "#components/post/check-result.tsx";
import { coverOf } from "#components/post/covered.ts";
import { LineLink } from "#components/post/line-link.tsx";
import { queueState } from "#components/post/queue-state.ts";
import { useLightbox } from "#components/post/use-lightbox.tsx";
import { RanOut } from "#components/queue/ran-out.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { cn } from "#components/ui/cn.ts";
import { mediaSource } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { plainText } from "#lib/client/plain-text.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { tabStopProps, type PostMediaProps, type PostTileProps } from "./post-tile.tsx";
import { useWatchedPictures } from "./seen-pictures.ts";

/** A post as a row, on phones as a card. */
export const PostRow = memo(function PostRow(props: PostTileProps) {
  const { post, selected, onToggle } = props;
  const { tabIndex, article, checkbox } = tabStopProps(props);
  const text = plainText(post.content);
  return (
    <li
      data-post={post.id}
      className={cn(
        "border-b border-line last:border-b-0 hover:bg-wash/60",
        selected && "bg-accent-quiet hover:bg-accent-quiet",
      )}
    >
      <article
        {...article}
        className="flex min-h-12 scroll-mt-16 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2 text-13 leading-[1.35] focus-visible:outline-2 focus-visible:-outline-offset-2 desk:flex-nowrap"
      >
        {onToggle ? (
          <Checkbox
            hideLabel
            label={`Select post by ${post.author_account}`}
            {...checkbox}
            className="me-1 shrink-0"
          />
        ) : null}
        <RowMedia {...props} tabIndex={tabIndex} />
        <LineLink
          id={post.id}
          author={post.author_account}
          hasMedia={false}
          hasPoll={post.poll !== null}
          text={post.spoiler_text ? `${post.spoiler_text} · ${text}` : text}
          emojis={post.emojis}
          tabIndex={tabIndex}
          className="max-desk:flex-1 max-desk:basis-0 max-desk:wrap-anywhere"
        />
        <span aria-hidden className="w-full desk:hidden" />
        {isNoteworthy(post) ? (
          <span title={post.ai_reasons.join("\n")} className="shrink-0">
            <CheckBadge post={post} />
          </span>
        ) : null}
        <span className="shrink-0 desk:w-32">
          <State post={post} />
        </span>
        <bdi className="truncate text-muted desk:max-wide:hidden wide:w-28">
          {post.stream === null ? "" : `#${post.stream}`}
        </bdi>
        <RelativeTime
          at={post.created_at}
          className="shrink-0 text-end text-muted max-desk:ms-auto desk:w-24"
        />
      </article>
    </li>
  );
});

function State({ post }: { post: Post }) {
  const queued = queueState(post);
  if (queued !== null)
    return (
      <>
        <StatePill
          state={queued}
          {...(queued === "held" && post.held_by !== null ? { title: reasonName(post.held_by) } : {})}
        />
        {post.reservation_expired_at === null ? null : <RanOut at={post.reservation_expired_at} />}
      </>
    );
  const filter = post.auto_reject_reason;
  const reason = filter ? reasonName(filter) : post.reject_reason_label;
  return <StatePill state={reviewState(post)} {...(reason ? { title: reason } : {})} />;
}

/** Thumbnails. A click uncovers them; the next click enlarges the first. */
function RowMedia({ post, cover, revealed, onReveal, tabIndex }: PostMediaProps) {
  const frame = useRef<HTMLButtonElement>(null);
  const [lightbox, enlarge] = useLightbox(post);
  const { media_attachments: media } = post;
  const isOpen = coverOf(post, cover) === "off" || revealed;
  useWatchedPictures(frame, post, isOpen);
  if (media.length === 0) return null;
  return (
    <>
      <button
        ref={frame}
        type="button"
        tabIndex={tabIndex}
        aria-label={`${isOpen ? "Enlarge" : "Show"} ${plural(media.length, "attachment", "attachments")} of ${post.author_account}`}
        onClick={() => (isOpen ? enlarge(0) : onReveal(post.id))}
        className="inline-flex max-w-41 shrink-0 flex-wrap items-center gap-0.5 rounded-sm"
      >
        {media.map(({ type }, index) =>
          type === "audio" ? (
            <AudioLines key={index} aria-hidden className={thumb} />
          ) : isOpen ? (
            <img
              key={index}
              src={mediaSource(post.id, index, 320)}
              alt=""
              loading="lazy"
              decoding="async"
              className={cn(thumb, "p-0")}
            />
          ) : (
            <EyeOff key={index} aria-hidden className={thumb} />
          ),
        )}
      </button>
      {lightbox}
    </>
  );
}

const thumb = "size-10 rounded-md border border-line bg-wash object-contain p-2.5 text-muted";
