import { Link2, Quote } from "lucide-react";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { Link } from "#components/ui/link.tsx";
import { PostText } from "#components/ui/post-text.tsx";
import type { Emoji } from "./emoji-text.tsx";
import { readCard, readPoll, readQuote } from "./read-extras.ts";

// Few posts have a poll. Cards are drawn ahead.
const PollBox = lazyWithRetry(() => import("./poll-box.tsx").then((module) => module.PollBox));

type Json = Record<string, unknown>;

const frame =
  "flex min-w-0 items-start gap-2 rounded-md border border-line px-3 py-2 text-13 [&>svg]:mt-px [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted";

export function PostExtras({
  post,
  emojis,
}: {
  post: { id: number; quote: Json | null; poll: Json | null; card: Json | null };
  emojis: readonly Emoji[];
}) {
  const quote = readQuote(post.quote);
  const poll = readPoll(post.poll);
  const card = readCard(post.card);
  return (
    <>
      {quote ? (
        <div className={frame}>
          <Quote aria-hidden />
          <div className="min-w-0 flex-1">
            {quote.url === null ? (
              "Quotes a post that is not available"
            ) : (
              <p className="wrap-anywhere">
                Quotes {quote.name === "" ? null : <bdi className="font-medium">{quote.name}</bdi>}{" "}
                <bdi className="text-muted">{quote.account}</bdi> <Address url={quote.url} />
              </p>
            )}
            {quote.content === "" ? null : <PostText html={quote.content} lang={null} />}
          </div>
        </div>
      ) : null}
      {poll ? <PollBox poll={poll} postId={post.id} emojis={emojis} /> : null}
      {card ? (
        <div className={frame}>
          <Link2 aria-hidden />
          <div className="min-w-0 flex-1">
            <Link href={card.url} external className="font-medium wrap-anywhere">
              <bdi>{card.title === "" ? card.url : card.title}</bdi>
            </Link>
            <p dir="auto" className="truncate text-muted">
              {card.provider}
            </p>
            {card.description === "" ? null : (
              <p dir="auto" className="mt-1 line-clamp-2 text-muted">
                {card.description}
              </p>
            )}
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
