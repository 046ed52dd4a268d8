"use client";
import { plural } from "#components/format.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { NoPosts } from "#components/streams/no-posts.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useApi } from "#lib/client/use-api.ts";
import type { Stats } from "#lib/stats/schema.ts";

/** Why no post is ready, and the next step. */
export function EmptyQueue({ pending }: { pending: number }) {
  const mayReview = useCan("reviewer");
  const { data, reload } = useApi<Stats>("/stats", { refreshEvery: 30_000 });
  const waiting = data?.unreviewed_posts;
  if (pending > 0) {
    return (
      <EmptyState
        title={
          pending === 1 ? "The approved post is not ready" : `None of ${pending} approved posts is ready`
        }
        action={
          <ButtonLink href="#held" variant="primary">
            Show the reasons
          </ButtonLink>
        }
      >
        They are held or wait after refusals.
      </EmptyState>
    );
  }
  if (waiting === 0) return <NoPosts title="Nothing is waiting" onCheck={() => void reload()} />;
  return (
    <EmptyState
      title="Nothing is waiting"
      action={
        mayReview ? (
          <ButtonLink href="/review" variant="primary">
            Review
          </ButtonLink>
        ) : undefined
      }
    >
      {waiting === undefined
        ? "Approved posts appear here until a boost bot takes them."
        : `${plural(waiting, "post waits", "posts wait")} for review.`}{" "}
      {mayReview ? null : "A reviewer decides about them."}
    </EmptyState>
  );
}
