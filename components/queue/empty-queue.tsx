"use client";
import { useCan } from "#components/shell/member-context.tsx";
import { NoPosts } from "#components/streams/no-posts.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Stats } from "#lib/stats/schema.ts";

const w = words.queue;

/** Why no post is ready, and the next step. */
export function EmptyQueue({ pending }: { pending: number }) {
  const mayReview = useCan("reviewer");
  const { data, reload } = useApi<Stats>("/stats", { refreshEvery: 30_000 });
  const waiting = data?.unreviewed_posts;
  if (pending > 0) {
    return (
      <EmptyState
        title={w.allHeld(pending)}
        action={
          <ButtonLink href="#held" variant="primary">
            {w.showHeld}
          </ButtonLink>
        }
      >
        {w.allHeldHint}
      </EmptyState>
    );
  }
  if (waiting === 0) return <NoPosts title={w.empty} onCheck={() => void reload()} />;
  return (
    <EmptyState
      title={w.empty}
      action={
        mayReview ? (
          <ButtonLink href="/review" variant="primary">
            {words.shell.review}
          </ButtonLink>
        ) : undefined
      }
    >
      {waiting === undefined ? w.emptyHint : w.emptyWaiting(waiting)} {mayReview ? null : w.emptyAsk}
    </EmptyState>
  );
}
