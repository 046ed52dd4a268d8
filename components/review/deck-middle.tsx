import { Inbox } from "lucide-react";
import { IncompleteSearch, RefusedFilters } from "#components/post-filters/filter-chips.tsx";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { Button } from "#components/ui/button.tsx";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import type { DeskState } from "#lib/client/desk/desk.ts";

const NoPosts = lazyWithRetry(
  () => import("#components/streams/no-posts.tsx").then((module) => module.NoPosts),
  EmptyState,
);

export interface DeckMiddleProps {
  state: DeskState;
  filtered: boolean;
  control: FilterControl;
  onRetry: () => void;
}

const box =
  "absolute inset-0 flex flex-col justify-center rounded-lg border border-line bg-surface aside:end-62";

export function DeckMiddle({ state, filtered, control, onRetry }: DeckMiddleProps) {
  const { failure, history } = state;
  if (failure) {
    const cutOff = failure.status === 0 && history.length > 0;
    return (
      <div className={box}>
        {cutOff ? (
          <EmptyState title="No more posts loaded" action={<Button onClick={onRetry}>Try again</Button>}>
            More posts load when the connection is back. Your decisions are kept.
          </EmptyState>
        ) : failure.status === 422 ? (
          <RefusedFilters
            errors={failure.errors}
            requestId={failure.requestId}
            setFilters={control.setFilters}
          />
        ) : (
          <ErrorState title="The posts could not be loaded" failure={failure} onRetry={onRetry} />
        )}
      </div>
    );
  }
  if (state.incomplete_results)
    return (
      <div className={box}>
        <div className="m-auto max-w-md p-4">
          <IncompleteSearch />
        </div>
      </div>
    );
  if (state.remaining !== 0)
    return (
      <div aria-busy className={`${box} justify-start`}>
        <SkeletonRows columns={1} />
      </div>
    );
  if (!filtered)
    return (
      <div className={box} data-empty>
        <NoPosts title="All reviewed" icon={<Inbox aria-hidden />} onCheck={onRetry} />
      </div>
    );
  return (
    <div className={box} data-empty>
      <EmptyState
        icon={<Inbox aria-hidden />}
        title="No more posts match the filters"
        action={<Button onClick={() => control.setFilters({})}>Clear filters</Button>}
      >
        Other posts may still need review.
      </EmptyState>
    </div>
  );
}
