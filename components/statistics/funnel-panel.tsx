import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const w = words.statistics;
type Reasons = Overview["funnel"]["dropped"];

/** Dropped posts are not stored. */
const NOT_KEPT = "/streams";

const total = (reasons: Reasons) => reasons.reduce((sum, each) => sum + each.count, 0);
/** A consumer's own reason is shown unchanged. */
const plain = (reason: string) =>
  w.reasons[reason] ?? words.queue.heldReasons[reason]?.name ?? reason.replaceAll("_", " ");

export function FunnelPanel({ overview: { funnel, range } }: { overview: Overview }) {
  const seen = funnel.fetched + total(funnel.dropped);
  const steps = [
    { key: "seen", name: words.streams.seen, value: seen, listHref: NOT_KEPT },
    { key: "kept", name: w.kept, value: funnel.fetched, listHref: figureList("fetched", range) },
    {
      key: "reviewed",
      name: w.decided,
      value: funnel.reviewed,
      listHref: figureList("reviewed", range, byPeople),
    },
    { key: "approved", name: w.approved, value: funnel.approved, listHref: figureList("approved", range) },
    {
      key: "delivered",
      name: w.delivered,
      value: funnel.delivered,
      listHref: figureList("delivered", range),
    },
  ];
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
    <Panel title={w.funnel} description={w.funnelHint}>
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
                name: plain(each.reason),
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
