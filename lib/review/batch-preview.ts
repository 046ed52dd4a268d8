import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { validationError } from "#lib/errors.ts";
import type { PostFilters } from "#lib/posts/filter-schema.ts";
import { findPosts } from "#lib/posts/search-posts.ts";
import { MAX_FILTER_BATCH, type BatchRequest } from "./batch-schema.ts";
import { filtersOf } from "./filter-input.ts";
import { reviewStateRows, type ReviewRow } from "./sql.ts";
import { decide, reviewStateOf, type ReviewState } from "./state.ts";

interface FoundForBatch {
  ids: number[];
  /** Null for posts that were listed. */
  filters: PostFilters | null;
  incomplete: boolean;
}

/**
 * @throws validation: the filter matches more than 10 000 posts
 */
export async function findForBatch(principal: Principal, request: BatchRequest): Promise<FoundForBatch> {
  if (request.filter === undefined) return { ids: request.post_ids ?? [], filters: null, incomplete: false };
  const filters = filtersOf(request.filter);
  const found = await findPosts(filters, MAX_FILTER_BATCH + 1);
  if (found.ids.length <= MAX_FILTER_BATCH) return { ...found, filters };
  const message = `matches more than ${MAX_FILTER_BATCH} posts; narrow it`;
  throw validationError([{ path: "filter", message }]);
}

/** Whether a batch may change the post, apart from its state. */
export function mayChange(
  decision: BatchRequest["decision"],
  post: Pick<ReviewRow, "seen_at_source">,
): boolean {
  return decision === "reject" || post.seen_at_source || env().CONFIRM_WITHIN_HOURS === 0;
}

/** False for a post that was edited since the caller saw it. */
export function isShownVersion(
  { shown = [] }: BatchRequest,
  { id, version }: Pick<ReviewRow, "id" | "version">,
): boolean {
  return shown.every((each) => each.id !== id || each.version === undefined || each.version === version);
}

/** Posts that the batch will change, by state: `[id, version]`. */
type Counted = Partial<Record<ReviewState, [number, number][]>>;
export type CountedPosts = Map<number, { state: ReviewState; version: number }>;

/** The token counts for the posts and the decision. The note may be written later, and `shown` only leaves posts out. */
const argumentsOf = ({ decision, post_ids, filter }: BatchRequest) => ({ decision, post_ids, filter });

/** Without locks: the batch looks again at the state of each post. */
export async function previewBatch(principal: Principal, request: BatchRequest): Promise<ActionPreview> {
  const { ids, incomplete } = await findForBatch(principal, request);
  const unique = [...new Set(ids)];
  const rows = await reviewStateRows(db, unique);
  const changing: Counted = {};
  const staying: Partial<Record<keyof typeof reasons, number>> = {};
  const stays = (reason: keyof typeof reasons, n = 1) => (staying[reason] = (staying[reason] ?? 0) + n);
  for (const row of rows) {
    const state = reviewStateOf(row.approved, row.queue_state);
    const outcome = decide(state, request.decision === "approve");
    if (outcome.kind === "none") stays("already");
    else if (outcome.kind === "refused") stays("handed_out");
    else if (row.erased && request.decision === "approve") stays("erased");
    else if (!isShownVersion(request, row)) stays("edited");
    else if (!mayChange(request.decision, row)) stays("unconfirmed");
    else (changing[state] ??= []).push([row.id, row.version]);
  }
  if (unique.length > rows.length) stays("missing", unique.length - rows.length);
  const figures = {
    changes: Object.values(changing).flat().length,
    counts: Object.fromEntries(Object.entries(changing).map(([state, some]) => [state, some.length])),
    warnings: warningsOf(request, changing, staying, incomplete),
  };
  return createPreview(principal, "batch", argumentsOf(request), changing, figures);
}

const reasons = {
  already: ["is decided this way already", "are decided this way already"],
  handed_out: ["was handed out and stays", "were handed out and stay"],
  erased: ["is deleted at its own server", "are deleted at their own servers"],
  edited: ["was edited since it was shown", "were edited since they were shown"],
  unconfirmed: ["is not confirmed by its own server yet", "are not confirmed by their own servers yet"],
  missing: ["is no longer here", "are no longer here"],
} as const;

const reversals = {
  approve: { rejected: ["was rejected", "were rejected"] },
  reject: {
    pending: ["is in the queue and leaves it", "are in the queue and leave it"],
    error: ["failed and leaves the queue", "failed and leave the queue"],
  },
} as const;

function warningsOf(
  { decision }: BatchRequest,
  changing: Counted,
  staying: Partial<Record<keyof typeof reasons, number>>,
  incomplete: boolean,
): ActionPreview["warnings"] {
  const line = (code: string, count: number, [one, many]: readonly [string, string]) =>
    count === 0 ? [] : [{ code, count, detail: `${count} ${count === 1 ? one : many}` }];
  const reversed = Object.entries<readonly [string, string]>(reversals[decision]).flatMap(([state, words]) =>
    line(state, changing[state as ReviewState]?.length ?? 0, words),
  );
  const kept = (Object.keys(reasons) as (keyof typeof reasons)[]).flatMap((reason) =>
    line(reason, staying[reason] ?? 0, reasons[reason]),
  );
  const limit = { code: "incomplete", count: 0, detail: "Only the newest posts were searched" };
  return [...reversed, ...kept, ...(incomplete ? [limit] : [])];
}

/**
 * State and version of each post when it was counted.
 *
 * @throws action_done, preview_not_valid
 */
export async function takeCountedBatch(
  tx: Tx,
  principal: Principal,
  token: string,
  request: BatchRequest,
): Promise<CountedPosts> {
  const counted = await takeCounted<Counted>(tx, principal, token, "batch", argumentsOf(request));
  return new Map(
    Object.entries(counted).flatMap(([state, posts]) =>
      posts.map(([id, version]) => [id, { state: state as ReviewState, version }] as const),
    ),
  );
}
