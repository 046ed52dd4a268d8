import { Ban, Check, Clock, MessageSquareText, X } from "lucide-react";
import { memo, type CSSProperties, type ReactNode } from "react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { AuthorRecord } from "#components/post/author-record.tsx";
import { CheckBadge } from "#components/post/check-result.tsx";
import { coverOf } from "#components/post/covered.ts";
import { PostCard } from "#components/post/post-card.tsx";
import { ConsentList } from "#components/post/post-facts.tsx";
import { StandsOut } from "#components/post/stands-out.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import type { DecisionKind } from "#lib/client/desk/history.ts";
import { keySign } from "#lib/client/desk/keys.ts";
import type { SeenItem } from "#lib/client/desk/seen-before.ts";
import type { DeckCard as Card } from "#lib/review/deck-schema.ts";
import type { OnPress } from "./use-deck-actions.ts";
import { useSwipe, type Swipe } from "./use-swipe.ts";

const SeenLine = lazyWithRetry(() => import("./seen-line.tsx").then((module) => module.SeenLine));

export interface DeckCardProps {
  card: Card;
  /** `next` is rendered hidden, so that it appears at once. A decision: the card is animated out. */
  place: "top" | "next" | DecisionKind;
  onLeft: () => void;
  cover: Cover;
  revealed: boolean;
  currentMedium: number | null;
  /** Empty for none. */
  note: string;
  seen: readonly SeenItem[];
  onPress: OnPress;
}

export const DeckCard = memo(function DeckCard({
  card,
  place,
  onLeft,
  cover,
  revealed,
  currentMedium,
  note,
  seen,
  onPress,
}: DeckCardProps) {
  const leaves = place === "top" || place === "next" ? undefined : exitTransforms[place];
  const { swipe, handlers } = useSwipe(
    (side) => onPress({ action: side === "right" ? "approve" : "reject" }),
    place === "top",
  );
  const seenBefore =
    seen.length === 0 ? null : (
      <SeenLine
        post={card}
        items={seen}
        cover={coverOf(card, cover)}
        revealed={revealed}
        onReveal={() => onPress({ action: "reveal" })}
      />
    );
  return (
    <div
      data-card={card.id}
      data-place={leaves === undefined ? place : "leaving"}
      inert={place !== "top"}
      aria-hidden={place === "top" ? undefined : true}
      className={cn(
        "absolute inset-0 flex touch-pan-y flex-col overflow-y-auto overscroll-contain wide:grid wide:grid-cols-[minmax(0,1fr)_14rem] wide:gap-6 wide:overflow-visible",
        "max-wide:rounded-lg max-wide:border max-wide:border-line max-wide:bg-surface",
        place === "next" && "invisible",
        leaves && "animate-leave",
        place !== "top" && "pointer-events-none",
      )}
      style={{
        ...(leaves ? ({ "--leave-to": leaves } as CSSProperties) : {}),
        ...(swipe.dx === 0
          ? {}
          : { transform: `translateX(${swipe.dx}px) rotate(${(swipe.dx / 60).toFixed(2)}deg)` }),
      }}
      onAnimationEnd={({ target, currentTarget }) => leaves && target === currentTarget && onLeft()}
      {...handlers}
    >
      {swipe.dx === 0 ? null : <SwipeSign {...swipe} />}
      <article
        tabIndex={0}
        aria-label={`Post by ${card.author_display_name ?? card.author_account}`}
        className="relative rounded-lg p-4 focus-visible:-outline-offset-2 desk:p-5 wide:overflow-y-auto wide:border wide:border-line wide:bg-surface beside:[container-type:size]"
      >
        <PostCard
          post={card}
          edit={card.edit}
          cover={cover}
          revealed={revealed}
          onReveal={() => onPress({ action: "reveal" })}
          onOpenMedia={(index) => onPress({ action: "enlarge" }, index)}
          currentMedium={currentMedium}
          underAuthor={
            <>
              <StandsOut post={card} onChecks={() => onPress({ action: "checks" })} />
              <ConsentList consent={card.consent} warnings />
              {note === "" ? null : <CardNote text={note} />}
            </>
          }
          underMedia={seenBefore ? <div className="wide:hidden">{seenBefore}</div> : null}
          beside
        />
      </article>
      {/* Fixed heights, so that nothing moves between cards. */}
      <aside className="flex flex-col gap-3 max-wide:border-t max-wide:border-line max-wide:p-4 max-wide:desk:p-5">
        <Fact title="Checks" className="wide:h-17">
          <p className="flex items-center gap-2">
            <CheckBadge post={card} onOpen={() => onPress({ action: "checks" })} />
            {card.pictures_waiting ? (
              <Clock className="size-4 shrink-0 text-muted" aria-label="Pictures are still to be checked" />
            ) : null}
          </p>
          <p className="truncate" title={card.ai_reasons.join("\n")}>
            {card.ai_reasons[0]}
          </p>
        </Fact>
        <div className="h-12 max-wide:hidden">{seenBefore}</div>
        <AuthorFact card={card} onPress={onPress} />
      </aside>
    </div>
  );
});

export function Fact({
  title,
  className = "",
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={cn("flex min-w-0 shrink-0 flex-col gap-1 text-13", className)}>
      <h2 className="text-12 font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

function AuthorFact({ card, onPress }: { card: Card; onPress: OnPress }) {
  const keys = useDeskKeyMap();
  return (
    <Fact title="Author's record">
      <AuthorRecord {...card.author_history} />
      <div className="mt-1 flex min-h-7 items-center gap-1.5">
        {card.author_blocked ? null : (
          <Button
            size="sm"
            icon={<Ban aria-hidden />}
            aria-haspopup="dialog"
            {...(keys ? { kbd: keySign(keys.block_author) } : {})}
            onClick={() => onPress({ action: "block_author" })}
          >
            Block
          </Button>
        )}
        {card.author_waiting === 0 ? null : (
          <Button
            size="sm"
            title="More by this author"
            {...(keys ? { kbd: keySign(keys.author_posts) } : {})}
            onClick={() => onPress({ action: "author_posts" })}
          >
            {card.author_waiting}
            {card.author_waiting >= 100 ? "+" : ""} more
            <span className="wide:hidden-visually"> by this author</span>
          </Button>
        )}
      </div>
    </Fact>
  );
}

function CardNote({ text }: { text: string }) {
  return (
    <p data-note className="flex items-start gap-2 rounded-md bg-accent-quiet px-3 py-2 text-14">
      <MessageSquareText aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="hidden-visually">Note: </span>
      <bdi className="min-w-0 whitespace-pre-line wrap-anywhere">{text}</bdi>
    </p>
  );
}

const exitTransforms: Record<DecisionKind, string> = {
  approve: "translateX(96px) rotate(1deg)",
  reject: "translateX(-96px) rotate(-1deg)",
  skip: "translateY(-24px)",
};

function SwipeSign({ dx, progress, armed }: Swipe) {
  const right = dx > 0;
  const Icon = right ? Check : X;
  const look = right
    ? cn("left-4 border-approve", armed ? "bg-approve text-on-approve" : "bg-surface text-approve")
    : cn("right-4 border-reject", armed ? "bg-reject text-on-reject" : "bg-surface text-reject");
  return (
    <div
      aria-hidden
      className={cn(
        "pointer-events-none absolute top-6 z-10 flex items-center gap-2 rounded-md border-2 px-3 py-1.5 text-16 font-semibold",
        look,
      )}
      style={{ opacity: 0.3 + progress * 0.7 }}
    >
      <Icon className="size-5" strokeWidth={2.5} />
      {right ? "Approve" : "Reject"}
    </div>
  );
}
