import { Link2, Quote } from "lucide-react";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { Link } from "#components/ui/link.tsx";
import { PostText } from "#components/ui/post-text.tsx";
import type { PostCard } from "#lib/review/post-schema.ts";
import { stringOf, webAddress } from "./read-extras.ts";

// Few posts have a poll. Cards are drawn ahead.
const PollBox = lazyWithRetry(() => import("./poll-box.tsx").then((module) => module.PollBox));

const frame =
  "flex min-w-0 items-start gap-2 rounded-md border border-line px-3 py-2 text-13 [&>svg]:mt-px [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted";

export function PostExtras({ post }: { post: PostCard }) {
  const { quote, poll, card } = post;
  const quoted = webAddress(quote?.url) ?? webAddress(quote?.uri);
  const [name, content] = [stringOf(quote?.name), stringOf(quote?.content)];
  const link = webAddress(card?.url);
  return (
    <>
      {quote ? (
        <div className={frame}>
          <Quote aria-hidden />
          <div className="min-w-0 flex-1">
            {quoted === null ? (
              "Quotes a post that is not available"
            ) : (
              <p className="wrap-anywhere">
                Quotes {name === "" ? null : <bdi className="font-medium">{name}</bdi>}{" "}
                <bdi className="text-muted">{stringOf(quote.account)}</bdi> <Address url={quoted} />
              </p>
            )}
            {content === "" ? null : <PostText html={content} lang={null} />}
          </div>
        </div>
      ) : null}
      {poll ? <PollBox of={poll} postId={post.id} emojis={post.emojis} /> : null}
      {card && link ? (
        <div className={frame}>
          <Link2 aria-hidden />
          <div className="min-w-0 flex-1">
            <Link href={link} external className="font-medium wrap-anywhere">
              <bdi>{stringOf(card.title) || link}</bdi>
            </Link>
            <p dir="auto" className="truncate text-muted">
              {stringOf(card.provider_name) || new URL(link).host}
            </p>
            <p dir="auto" className="mt-1 line-clamp-2 text-muted empty:hidden">
              {stringOf(card.description)}
            </p>
          </div>
        </div>
      ) : null}
    </>
  );
}

function Address({ url }: { url: string }) {
  return (
    <Link href={url} external tone="muted" dir="auto" className="min-w-0 truncate align-bottom">
      {url.replace(/^https?:\/\//, "")}
    </Link>
  );
}
