import { Link2, Quote } from "lucide-react";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { Link } from "#components/ui/link.tsx";
import { PostText } from "#components/ui/post-text.tsx";
import type { NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import type { PostCard } from "#lib/review/post-schema.ts";

// Loaded on demand, because few posts have a poll.
const PollBox = lazyWithRetry(() => import("./poll-box.tsx").then((module) => module.PollBox));

const frame =
  "flex min-w-0 items-start gap-2 rounded-md border border-line px-3 py-2 text-13 [&>svg]:mt-px [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted";

export function PostExtras({ post }: { post: PostCard }) {
  // Ingest stores these in this shape: texts are strings, addresses http(s).
  const { quote, poll, card } = post as unknown as Pick<NormalisedPost, "quote" | "poll" | "card">;
  const quoted = quote?.url ?? quote?.uri;
  return (
    <>
      {quote ? (
        <div className={frame}>
          <Quote aria-hidden />
          <div className="min-w-0 flex-1">
            {quoted === undefined || quoted === null ? (
              "Quotes a post that is not available"
            ) : (
              <p className="wrap-anywhere">
                Quotes <bdi className="font-medium">{quote.name}</bdi>{" "}
                <bdi className="text-muted">{quote.account}</bdi>{" "}
                <Link
                  href={quoted}
                  external
                  tone="muted"
                  dir="auto"
                  className="min-w-0 truncate align-bottom"
                >
                  {quoted.replace(/^https?:\/\//, "")}
                </Link>
              </p>
            )}
            {quote.content === "" ? null : <PostText html={quote.content} lang={null} />}
          </div>
        </div>
      ) : null}
      {poll ? <PollBox poll={poll} postId={post.id} emojis={post.emojis} /> : null}
      {card ? (
        <div className={frame}>
          <Link2 aria-hidden />
          <div className="min-w-0 flex-1">
            <Link href={card.url} external className="font-medium wrap-anywhere">
              <bdi>{card.title || card.url}</bdi>
            </Link>
            <p dir="auto" className="truncate text-muted">
              {card.provider_name || new URL(card.url).host}
            </p>
            <p dir="auto" className="mt-1 line-clamp-2 text-muted empty:hidden">
              {card.description}
            </p>
          </div>
        </div>
      ) : null}
    </>
  );
}
