import type { FilterChoices } from "#components/post-filters/filter-words.ts";
import { formatCount, plural } from "#components/format.ts";
import { IncompleteSearch } from "#components/post-filters/filter-chips.tsx";
import { NoPosts } from "#components/streams/no-posts.tsx";
import { Card } from "#components/ui/card.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { FieldProblem } from "#lib/client/api-failure.ts";
import type { ListPlace, ListRequest } from "#lib/client/desk/list.ts";
import { setFilters, stateOf } from "#lib/client/desk/post-filters.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import type { PostList as Found } from "#lib/review/post-schema.ts";
import { ListBar } from "./list-bar.tsx";
import { PostList } from "./post-list.tsx";

export interface PostsScreenProps {
  place: ListPlace;
  /** Query string of the address. */
  search: string;
  request: ListRequest;
  found: Found | { errors: FieldProblem[] };
  choices: FilterChoices;
  preferences: DeskPreferences;
}

/** All posts as a list (`posts`), or the unreviewed posts as a grid (`review`). */
export function PostsScreen({ place, search, request, found, choices, preferences }: PostsScreenProps) {
  const isGrid = place === "review";
  const { filters, query, skip, limit } = request;
  if ("errors" in found)
    return (
      <div className="flex flex-col gap-3">
        <ListBar place={place} choices={choices} count="–" errors={found.errors} />
      </div>
    );
  const { items, total, total_is_more: isMore = false, incomplete_results: isIncomplete = false } = found;
  const number = `${formatCount(total)}${isMore ? "+" : ""}`;
  const count = isGrid ? `${number} left` : isMore ? `${number} posts` : plural(total, "post", "posts");
  const path = isGrid ? "/review" : "/posts";
  const hrefFor = (to: number) => {
    const next = new URLSearchParams(search);
    if (to === 0) next.delete("skip");
    else next.set("skip", String(to));
    return `${path}?${next.toString()}`;
  };
  const isFiltered = setFilters(filters).length > 0 || (!isGrid && stateOf(filters) !== "all");
  return (
    <div className="flex flex-col gap-3">
      <ListBar place={place} choices={choices} count={count} errors={[]} />
      {filters.happened !== undefined && filters.happened !== "created" ? (
        <p className="text-13 text-muted">
          The statistics also count posts that were later deleted, decided again or requeued. This list does
          not.
        </p>
      ) : null}
      <PostList
        key={query}
        view={isGrid ? "grid" : "list"}
        posts={items}
        preferences={preferences}
        empty={
          isIncomplete ? null : (
            <Card>
              {isFiltered ? (
                <EmptyState
                  title="No posts match"
                  action={<ButtonLink href={isGrid ? "/review?view=grid" : path}>Clear filters</ButtonLink>}
                >
                  Change the filters, or wait for the next fetch.
                </EmptyState>
              ) : (
                <NoPosts title={isGrid ? "All reviewed" : "No posts yet"} />
              )}
            </Card>
          )
        }
      />
      {isIncomplete ? <IncompleteSearch /> : null}
      <Pagination skip={skip} limit={limit} total={total} more={isMore && !isIncomplete} hrefFor={hrefFor} />
    </div>
  );
}
