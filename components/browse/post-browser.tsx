"use client";
import { formatCount, plural } from "#components/format.ts";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { DeskKeyMap } from "#components/desk-settings/key-context.tsx";
import type { MemberName, StreamChoice } from "#components/post-filters/filter-words.ts";
import { IncompleteSearch } from "#components/post-filters/incomplete-search.tsx";
import { LeftToReview } from "#components/post-filters/left-to-review.tsx";
import { ListChips } from "#components/post-filters/list-chips.tsx";
import { useFilters } from "#components/post-filters/use-filters.ts";
import { ViewSwitch } from "#components/post-filters/view-switch.tsx";
import { undoLast } from "#components/review/notify-decided.ts";
import { useCan, useMember } from "#components/shell/member-context.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { Notice } from "#components/ui/states.tsx";
import { loadToasts } from "#components/ui/toast.tsx";
import { deskKeys } from "#lib/client/desk/keys.ts";
import { readListRequest, type ListPlace, type ListView } from "#lib/client/desk/list.ts";
import { stateOf } from "#lib/client/desk/post-filters.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import { outboxOf } from "#lib/client/desk/use-outbox.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import type { Post, PostList } from "#lib/review/post-schema.ts";
import { BrowseBar } from "./browse-bar.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { EmptyList, FailedList } from "./list-states.tsx";
import { PostsView } from "./posts-view.tsx";
import { isUnseen, SeenPictures } from "./seen-pictures.ts";
import { BatchDialog, MAX_WITHOUT_PREVIEW } from "./batch-dialog.tsx";
import { useBatch, type BatchOrder, type Verdict } from "./use-batch.ts";
import { useRowReview } from "./use-row-review.ts";
import { useSelection } from "./use-selection.ts";

const found = (count: number | null, more: boolean) => {
  if (count === null) return "Counting";
  return more ? `${formatCount(count)}+ posts` : plural(count, "post", "posts");
};

const CheckPanel = lazyWithRetry(
  () => import("#components/post/check-panel.tsx").then((module) => module.CheckPanel),
  LoadingNotice,
);
const FilterSheet = lazyWithRetry(
  () => import("#components/post-filters/filter-sheet.tsx").then((module) => module.FilterSheet),
  LoadingNotice,
);

export interface PostBrowserProps {
  place: ListPlace;
  view: ListView;
  /** Null when the API refused the address. */
  first: { query: string; list: PostList } | null;
  preferences: DeskPreferences;
  streams: readonly StreamChoice[];
  /** For the filter of decisions; the desk has none. */
  members?: readonly MemberName[];
}

const noPosts: readonly Post[] = [];

export function PostBrowser({ place, view, first, preferences, streams, members }: PostBrowserProps) {
  const params = useSearchParams();
  const pathname = usePathname();
  const mayReview = useCan("reviewer");
  const control = useFilters();
  const [sheet, setSheet] = useState(false);
  const [checked, setChecked] = useState<Post | null>(null);
  const [asked, setAsked] = useState<{ order: BatchOrder; posts: readonly Post[] } | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLParagraphElement>(null);
  const [seen] = useState(() => new SeenPictures());
  const request = useMemo(
    () => readListRequest(new URLSearchParams(params), place, view),
    [params, place, view],
  );
  const { data, failure, refreshing, reload } = useApi<PostList>(`/posts?${request.query}`, {
    keepPrevious: true,
    ...(first?.query === request.query ? { fallback: first.list } : {}),
  });
  const { filters } = request;
  const isDesk = place === "review" && mayReview && stateOf(filters) === "unreviewed";
  const remaining = useApi<Deck>(isDesk ? `/review/deck?count=0&${leftQuery(request.query)}` : null, {
    keepPrevious: true,
  });
  const posts = data?.items ?? noPosts;
  const shown = useMemo(() => posts.map((post) => post.id), [posts]);
  const open = useMemo(() => posts.filter((post) => post.approved === null).map((post) => post.id), [posts]);
  const selection = useSelection(shown, request.query);

  // The grid has the address of the desk.
  useEffect(loadToasts, []);
  const { reload: countAgain } = remaining;
  const again = useCallback(async () => {
    await Promise.all([reload(), countAgain()]);
    // The focused element may have left the page with its post.
    if (document.activeElement === document.body) (stopIn(root.current) ?? heading.current)?.focus();
  }, [reload, countAgain]);
  useDecisionsOfDesk(mayReview, again);
  const batch = useBatch(again);
  const review = useRowReview(again);
  const run = async (order: BatchOrder) => {
    if (await batch.run(order)) selection.clear();
  };
  const decideMany = (decision: Verdict, ids: readonly number[], reason?: number) => {
    if (batch.pending !== null) return;
    const chosen = posts.filter((post) => ids.includes(post.id));
    const shown = chosen.map(({ id, approved, version }) => ({ id, approved, version }));
    const order = { decision, ids, shown, ...(reason === undefined ? {} : { reason }) };
    const unseen = decision === "approve" && chosen.some((post) => isUnseen(post, seen.getState()));
    if (ids.length > MAX_WITHOUT_PREVIEW || unseen) setAsked({ order, posts: chosen });
    else void run(order);
  };

  const keys = preferences.keys_on && mayReview ? deskKeys : null;
  // Offline, the last list is more useful than an error.
  const failed = failure !== undefined && !(data && failure.status === 0);
  return (
    <DeskKeyMap value={keys}>
      <div ref={root} className="flex flex-col gap-3">
        {posts.length > 0 && !failed ? <SkipToPosts root={root} /> : null}
        <div className="flex flex-wrap items-center gap-3">
          {place === "review" ? (
            <>
              <h1 className="hidden-visually">Review</h1>
              <ViewSwitch control={control} current="grid" />
            </>
          ) : (
            <h1 className="text-20 font-semibold tracking-tight">Posts</h1>
          )}
          <p
            ref={heading}
            tabIndex={-1}
            role="status"
            className="tabular ms-auto text-13 text-muted focus-visible:outline-none"
            data-total={data?.total ?? ""}
          >
            {failed ? (
              "–"
            ) : isDesk && remaining.data ? (
              <LeftToReview
                count={remaining.data.remaining + remaining.data.leased_to_others}
                isMore={remaining.data.remaining_is_more}
                leasedToOthers={remaining.data.leased_to_others}
                own={{ count: 0, until: null }}
              />
            ) : (
              found(data?.total ?? null, data?.total_is_more ?? false)
            )}
          </p>
        </div>
        <BrowseBar
          place={place}
          view={view}
          filters={filters}
          limit={request.limit}
          onFilters={control.setFilters}
          onLimit={(limit) =>
            window.history.pushState(null, "", control.hrefWith({ limit: String(limit), skip: null }))
          }
          onMore={() => setSheet(true)}
        />
        <ListChips control={control} streams={streams} members={members} />
        {filters.happened !== undefined && filters.happened !== "created" ? (
          <p className="text-13 text-muted">
            The statistics also count posts that were later deleted, decided again or requeued. This list does
            not.
          </p>
        ) : null}
        {failure && !failed ? (
          <Notice tone="warn">
            <span className="font-medium">No connection.</span> The posts shown are from before the filters
            changed.
          </Notice>
        ) : null}
        {mayReview && posts.length > 0 && !failed ? (
          <BulkBar
            selection={selection}
            withBox={view === "grid"}
            shown={shown}
            open={open}
            pending={batch.pending}
            onDecide={decideMany}
          />
        ) : null}
        {failed ? (
          <FailedList
            failure={failure}
            filters={filters}
            retrying={refreshing}
            onRetry={() => void reload()}
            onClear={() => control.setFilters({})}
          />
        ) : data === undefined ? (
          <SkeletonRows rows={8} columns={4} />
        ) : (
          <PostsView
            view={view}
            posts={posts}
            empty={
              data.incomplete_results ? null : (
                <EmptyList place={place} control={control} onCheck={() => void again()} />
              )
            }
            preferences={preferences}
            selection={mayReview ? selection : null}
            states={stateOf(filters) !== "unreviewed"}
            isBusy={refreshing}
            root={root}
            seen={seen}
            review={review}
            onDecideMany={decideMany}
            onUndo={undoLast}
            onChecks={setChecked}
          />
        )}
        {data?.incomplete_results && !failed ? <IncompleteSearch /> : null}
        {failed ? null : (
          <Pagination
            skip={request.skip}
            limit={request.limit}
            total={data?.total ?? null}
            more={(data?.total_is_more ?? false) && !data?.incomplete_results}
            hrefFor={(skip) => pageHref(pathname, params, skip)}
          />
        )}
      </div>
      {asked ? (
        <BatchDialog
          {...asked}
          cover={preferences.cover}
          seen={seen}
          onConfirm={(ids, as_of) => {
            setAsked(null);
            void run({ ...asked.order, ids, ...(as_of === undefined ? {} : { as_of }) });
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {checked ? (
        <CheckPanel
          post={posts.find(({ id }) => id === checked.id) ?? checked}
          onClose={() => setChecked(null)}
          onChecked={() => void reload()}
        />
      ) : null}
      {sheet ? (
        <FilterSheet
          filters={control.filters}
          streams={streams}
          members={members}
          defaultOrder={place === "review" ? "oldest" : "newest"}
          onApply={control.setFilters}
          onClose={() => setSheet(false)}
        />
      ) : null}
    </DeskKeyMap>
  );
}

function stopIn(root: HTMLElement | null): HTMLElement | null {
  return root?.querySelector<HTMLElement>('[data-stop][tabindex="0"]') ?? null;
}

/** The bars before the list have many controls. It has its full size before it is focused. */
function SkipToPosts({ root }: { root: RefObject<HTMLElement | null> }) {
  return (
    <button
      type="button"
      onClick={() => stopIn(root.current)?.focus()}
      className="absolute z-10 w-fit rounded-md border border-line-strong bg-raised px-3 py-2 text-14 font-medium not-focus-visible:pointer-events-none not-focus-visible:opacity-0"
    >
      Skip to the posts
    </button>
  );
}

function leftQuery(query: string): string {
  const params = new URLSearchParams(query);
  params.delete("skip");
  params.delete("limit");
  return params.toString();
}

function pageHref(pathname: string, params: URLSearchParams, skip: number): string {
  const next = new URLSearchParams(params);
  if (skip === 0) next.delete("skip");
  else next.set("skip", String(skip));
  return `${pathname}?${next.toString()}`;
}

/** Reloads when the desk's decisions have been sent. */
function useDecisionsOfDesk(mayReview: boolean, onArrived: () => Promise<void>): void {
  const { id } = useMember();
  useEffect(() => {
    if (!mayReview) return;
    const outbox = outboxOf(id);
    let wereAny = outbox.getState().waiting > 0;
    return outbox.subscribe(() => {
      const areAny = outbox.getState().waiting > 0;
      if (wereAny && !areAny) void onArrived();
      wereAny = areAny;
    });
  }, [id, mayReview, onArrived]);
}
