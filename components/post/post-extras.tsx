import { BarChartHorizontal, Link2, Quote } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import * as words from "#components/words/desk.ts";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { EmojiText, type Emoji } from "./emoji-text.tsx";
import { readCard, readPoll, readQuote, type Poll } from "./read-extras.ts";

type Json = Record<string, unknown>;

const frame =
  "flex min-w-0 items-start gap-2 rounded-md border border-line px-3 py-2 text-13 [&>svg]:mt-px [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted";

/** Quote, poll and link card, where there are any. */
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
          {quote.url === null ? (
            words.post.quoteMissing
          ) : (
            <span className="min-w-0">
              {words.post.quote} {quote.account} <Address url={quote.url} />
            </span>
          )}
        </div>
      ) : null}
      {poll ? <PollBox poll={poll} postId={post.id} emojis={emojis} /> : null}
      {card ? (
        <div className={frame}>
          <Link2 aria-hidden />
          <div className="min-w-0 flex-1">
            <Link href={card.url} external className="font-medium wrap-anywhere">
              {card.title === "" ? card.url : card.title}
            </Link>
            <p className="truncate text-muted">{card.provider}</p>
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

function PollBox({ poll, postId, emojis }: { poll: Poll; postId: number; emojis: readonly Emoji[] }) {
  // Of several answers each may have everybody's vote: shares are of people, as where the poll was asked.
  const whole = (poll.multiple ? poll.voters : null) ?? poll.votes;
  const notes: ReactNode[] = [words.post.votes(poll.votes)];
  if (poll.multiple && poll.voters !== null) notes.push(words.post.voters(poll.voters));
  if (poll.multiple) notes.push(words.post.pollMultiple);
  if (poll.expired) notes.push(words.post.pollEnded);
  else if (poll.expires_at)
    notes.push(
      <>
        {words.post.pollEnds} <RelativeTime at={poll.expires_at} />
      </>,
    );
  return (
    <section aria-label={words.post.poll} className="rounded-md border border-line px-3 py-2 text-13">
      <ul className="flex flex-col gap-2">
        {poll.options.map((option, i) => {
          const share = option.votes === null || whole === 0 ? null : (100 * option.votes) / whole;
          return (
            <li key={i}>
              <div className="flex items-baseline gap-3">
                <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
                  <EmojiText text={option.title} postId={postId} emojis={emojis} />
                </span>
                {share === null ? null : (
                  <span className="tabular shrink-0 text-muted">
                    {formatPercent(share)} · {formatCount(option.votes)}
                  </span>
                )}
              </div>
              <div className="mt-1 h-1 overflow-hidden rounded-full bg-wash" aria-hidden>
                <div className="h-full bg-accent" style={{ width: `${Math.min(100, share ?? 0)}%` }} />
              </div>
            </li>
          );
        })}
      </ul>
      <div className="mt-2 flex items-start gap-1.5 text-muted">
        <BarChartHorizontal aria-hidden className="mt-px size-4 shrink-0" />
        <p className="dotted">
          {notes.map((note, i) => (
            <span key={i}>{note}</span>
          ))}
        </p>
      </div>
    </section>
  );
}

/** An address of another server, short enough for a line; opens there. */
function Address({ url }: { url: string }) {
  return (
    <Link href={url} external tone="muted" className="min-w-0 truncate align-bottom">
      {url.replace(/^https?:\/\//, "")}
    </Link>
  );
}
