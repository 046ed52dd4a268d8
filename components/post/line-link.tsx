import { BarChartHorizontal, ImageIcon } from "lucide-react";
import { cn } from "#components/ui/cn.ts";
import { Link } from "#components/ui/link.tsx";
import { EmojiText, type Emoji } from "./emoji-text.tsx";

export interface LineLinkProps {
  id: number;
  author: string;
  hasMedia: boolean;
  hasPoll?: boolean;
  text: string;
  emojis: readonly Emoji[];
  className?: string;
  tabIndex?: number | undefined;
}

/** Author and text of a post in one line, as a link to its page. */
export function LineLink({
  id,
  author,
  hasMedia,
  hasPoll = false,
  text,
  emojis,
  className,
  tabIndex,
}: LineLinkProps) {
  const marks = [
    ...(hasMedia ? [["Has media", ImageIcon] as const] : []),
    ...(hasPoll ? [["Poll", BarChartHorizontal] as const] : []),
  ];
  return (
    <Link
      href={`/posts/${id}`}
      tone="plain"
      prefetch={false}
      tabIndex={tabIndex}
      className={cn(
        "block max-w-full min-w-0 font-normal desk:flex desk:flex-1 desk:items-baseline desk:gap-1.5",
        className,
      )}
      title={text.slice(0, 300)}
    >
      <span className="font-medium desk:max-w-1/2 desk:shrink-0 desk:truncate" dir="auto">
        {author}
      </span>
      {marks.map(([label, Icon]) => (
        <Icon
          key={label}
          role="img"
          aria-label={label}
          className="ms-1.5 inline size-3.5 shrink-0 align-[-2px] text-muted desk:ms-0 desk:self-center"
        />
      ))}{" "}
      <span dir="auto" className="line-clamp-2 text-muted desk:block desk:min-w-0 desk:truncate">
        <EmojiText text={text} postId={id} emojis={emojis} />
      </span>
    </Link>
  );
}
