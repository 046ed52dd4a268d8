import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const w = words.reasons;

export function RejectReasonsPanel({ overview: { reject_reasons, range } }: { overview: Overview }) {
  return (
    <Panel level={3} title={w.why} description={w.whyHint} figure="rejected_by_reviewers">
      {reject_reasons.length === 0 ? (
        <EmptyState title={w.whyEmpty} className="py-8" />
      ) : (
        <BarList
          label={w.why}
          nameLabel={w.label}
          valueLabel={words.statistics.posts}
          tone="reject"
          items={reject_reasons.map(({ id, label, count }) => ({
            key: String(id),
            name: label ?? w.none,
            value: count,
            listHref: figureList("rejected", range, { ...byPeople, reject_reason: id ?? 0 }),
          }))}
        />
      )}
    </Panel>
  );
}
