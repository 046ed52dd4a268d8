import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

import { reasonName } from "./reason-name.ts";

const w = words.statistics;
type Reasons = Overview["funnel"]["dropped"];

/** Skipped and deleted posts are not stored. */
const NOT_KEPT = "/streams";

/** Shown when there are any. */
const RARE = ["deleted", "unknown", "removed"];

export function FunnelPanel({ overview: { funnel, outcomes, range } }: { overview: Overview }) {
  const list = (narrow: Record<string, string | boolean>) => figureList("fetched", range, narrow);
  const steps = [
    { key: "found", name: w.found, value: outcomes.found, listHref: NOT_KEPT },
    { key: "not_stored", name: w.leftOut, value: outcomes.not_stored, listHref: NOT_KEPT, indent: 1 },
    { key: "stored", name: w.kept, value: outcomes.stored, listHref: list({}), indent: 1 },
    {
      key: "unreviewed",
      name: w.undecided,
      value: outcomes.unreviewed,
      listHref: list({ reviewed: false }),
      indent: 2,
    },
    {
      key: "auto_rejected",
      name: w.autoRejected,
      value: outcomes.auto_rejected,
      listHref: list({ auto_rejected: true }),
      indent: 2,
    },
    {
      key: "rejected",
      name: w.byReviewers,
      value: outcomes.rejected,
      listHref: list({ approved: false, ...byPeople }),
      indent: 2,
    },
    { key: "deleted", name: w.deletedUndecided, value: outcomes.deleted, listHref: NOT_KEPT, indent: 2 },
    { key: "unknown", name: w.deletedEarlier, value: outcomes.unknown, listHref: NOT_KEPT, indent: 2 },
    {
      key: "approved",
      name: w.approved,
      value: outcomes.approved,
      listHref: list({ approved: true }),
      indent: 2,
    },
    {
      key: "waiting",
      name: w.outcomeWaiting,
      value: outcomes.waiting,
      listHref: list({ queue_status: "waiting" }),
      indent: 3,
    },
    {
      key: "delivered",
      name: w.delivered,
      value: outcomes.delivered,
      listHref: list({ queue_status: "delivered" }),
      indent: 3,
    },
    {
      key: "failed",
      name: w.failedDeliveries,
      value: outcomes.failed,
      listHref: list({ queue_status: "error" }),
      indent: 3,
    },
    {
      key: "removed",
      name: w.removed,
      value: outcomes.removed,
      listHref: NOT_KEPT,
      indent: 3,
    },
  ].filter(({ key, value }) => value > 0 || !RARE.includes(key));
  const lists: { title: string; reasons: Reasons; listOf: (reason: string) => string }[] = [
    { title: w.leftOut, reasons: funnel.dropped, listOf: () => NOT_KEPT },
    {
      title: w.autoRejected,
      reasons: funnel.auto_rejected,
      listOf: (reason) => figureList("rejected", range, { auto_reject_reason: reason }),
    },
    {
      title: w.errors,
      reasons: funnel.errors,
      listOf: (reason) => figureList("errors", range, { error_reason: reason }),
    },
    {
      title: w.heldNow,
      reasons: funnel.held_now,
      listOf: (reason) => withQuery("/posts", { queue_status: "pending", held_by: reason }),
    },
  ];
  return (
    <Panel level={3} title={w.funnel} description={w.funnelHint} figure="found">
      <BarList label={w.funnel} nameLabel={w.step} valueLabel={w.posts} items={steps} />
      <div className="mt-4 grid items-start gap-x-6 gap-y-4 desk:grid-cols-2">
        {lists.map(({ title, reasons, listOf }) =>
          reasons.length === 0 ? null : (
            <BarList
              key={title}
              label={title}
              nameLabel={title}
              valueLabel={w.posts}
              tone="neutral"
              items={reasons.map((each) => ({
                key: each.reason,
                name: reasonName(each.reason),
                value: each.count,
                listHref: listOf(each.reason),
              }))}
            />
          ),
        )}
      </div>
    </Panel>
  );
}
