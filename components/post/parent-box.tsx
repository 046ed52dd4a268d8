"use client";
import { Link } from "#components/ui/link.tsx";
import { PostText } from "#components/ui/post-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import * as words from "#components/words/all.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Parent } from "#lib/streams/schema.ts";

export function ParentBox({ postId }: { postId: number }) {
  const { data, failure, reload } = useApi<Parent>(`/posts/${postId}/parent`, { refreshOnFocus: false });
  return (
    <div className="mt-2 rounded-md border border-line px-3 py-2">
      {data?.post ? (
        <ParentPost post={data.post} />
      ) : data && data.outcome !== "shown" ? (
        <p className="text-muted">{words.postPage.parentOutcomes[data.outcome]}</p>
      ) : failure ? (
        <p role="alert" className="text-muted">
          {failure.detail}{" "}
          <button type="button" onClick={() => void reload()} className="text-accent underline">
            {words.common.retry}
          </button>
        </p>
      ) : (
        <div role="status">
          <span className="hidden-visually">{words.common.loading}</span>
          <Skeleton className="my-1 w-40" />
          <Skeleton className="my-1 w-full" />
        </div>
      )}
    </div>
  );
}

function ParentPost({ post }: { post: NonNullable<Parent["post"]> }) {
  const text = (
    <PostText html={post.content} lang={post.language} className="max-h-48 overflow-y-auto text-14" />
  );
  const warning = post.spoiler_text ?? (post.sensitive ? words.post.sensitive : null);
  return (
    <div className="space-y-1">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-muted">
        <Link href={post.url} external tone="muted" dir="auto" className="max-w-full truncate">
          {post.author_display_name ?? post.author_account}
        </Link>
        <span aria-hidden>·</span>
        <RelativeTime at={post.created_at} />
      </p>
      {warning === null ? (
        text
      ) : (
        <details>
          <summary className="min-h-6 cursor-pointer">
            {words.post.contentWarning}: <bdi>{warning}</bdi>
          </summary>
          {text}
        </details>
      )}
      {post.media.map((medium, index) => (
        <p key={index} className="text-muted">
          {words.postPage.parentMedium(medium.type)}:{" "}
          <bdi>{medium.description ?? words.media.noDescription}</bdi>
        </p>
      ))}
    </div>
  );
}
