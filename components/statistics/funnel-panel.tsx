import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const w = words.statistics;
type Reasons = Overview["funnel"]["dropped"];

const total = (reasons: Reasons) => reasons.reduce((sum, each) => sum + each.count, 0);
/** Reasons that consumers give are their own words; ours have names. */
const plain = (reason: string) =>
  w.reasons[reason] ?? words.queue.heldReasons[reason]?.name ?? reason.replaceAll("_", " ");

/** The way from seen to delivered, and what was left behind at each step. */
export function FunnelPanel({ funnel }: { funnel: Overview["funnel"] }) {
  const seen = funnel.fetched + total(funnel.dropped);
  const steps = [
    { key: "seen", name: words.streams.seen, value: seen },
    { key: "kept", name: w.kept, value: funnel.fetched },
    { key: "reviewed", name: w.reviewedByPeople, value: funnel.reviewed },
    { key: "approved", name: w.approved, value: funnel.approved },
    { key: "delivered", name: w.delivered, value: funnel.delivered },
  ];
  const lists: { title: string; reasons: Reasons }[] = [
    { title: w.leftOut, reasons: funnel.dropped },
    { title: w.autoRejected, reasons: funnel.auto_rejected },
    { title: w.errors, reasons: funnel.errors },
    { title: w.heldNow, reasons: funnel.held_now },
  ];
  return (
    <Panel title={w.funnel} description={w.funnelHint}>
      <BarList label={w.funnel} nameLabel={w.step} valueLabel={w.posts} items={steps} />
      <div className="mt-4 grid items-start gap-x-6 gap-y-4 desk:grid-cols-2">
        {lists.map(({ title, reasons }) =>
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
              }))}
            />
          ),
        )}
      </div>
    </Panel>
  );
}
