import { BarChartHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { Expiry } from "#components/ui/relative-time.tsx";
import { formatCount, formatPercent, plural } from "#components/format.ts";
import type { NormalisedPoll } from "#lib/fediverse/normalise-status.ts";
import { EmojiText, type Emoji } from "./emoji-text.tsx";

export interface PollBoxProps {
  poll: NormalisedPoll;
  postId: number;
  emojis: readonly Emoji[];
}

export function PollBox({ poll, postId, emojis }: PollBoxProps) {
  if (poll.options.length === 0) return null;
  // In a multiple-choice poll, percentages are of voters.
  const whole = (poll.multiple ? poll.voters : null) ?? poll.votes;
  const notes: ReactNode[] = [plural(poll.votes, "vote", "votes")];
  if (poll.multiple && poll.voters !== null) notes.push(`by ${plural(poll.voters, "person", "people")}`);
  if (poll.multiple) notes.push("multiple choice");
  if (poll.expired) notes.push("ended");
  else if (poll.expires_at)
    notes.push(
      <>
        ends <Expiry at={poll.expires_at} />
      </>,
    );
  return (
    <section aria-label="Poll" className="rounded-md border border-line px-3 py-2 text-13">
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
                <div
                  data-bar=""
                  className="h-full bg-accent"
                  style={{ width: `${Math.min(100, share ?? 0)}%` }}
                />
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
