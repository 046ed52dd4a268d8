import { Panel } from "#components/ui/card.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { figureList, type Flow } from "#lib/client/figure-lists.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import type { Stats } from "#lib/stats/schema.ts";

const w = words.statistics;

/** What happened in the range, beside the equally long one before it. */
export function RangeFigures({ overview }: { overview: Overview }) {
  const { current, previous } = overview.totals;
  const lists = (flow: Flow) => ({
    href: figureList(flow, overview.range),
    hintHref: figureList(flow, overview.previous),
  });
  const compared = (key: Exclude<Flow, "rejected">) => ({
    ...lists(key),
    value: current[key],
    delta: current[key] === previous[key] ? null : current[key] - previous[key],
    hint: w.countBefore(formatCount(previous[key])),
  });
  return (
    <StatRow>
      <Stat label={w.fetched} {...compared("fetched")} />
      <Stat label={w.reviewed} {...compared("reviewed")} />
      <Stat label={w.approved} {...compared("approved")} />
      <Stat
        label={w.approvalRate}
        {...lists("reviewed")}
        value={current.reviewed === 0 ? "–" : formatPercent(current.approval_rate)}
        hint={previous.reviewed === 0 ? w.noRateBefore : w.rateBefore(formatPercent(previous.approval_rate))}
      />
      <Stat label={w.delivered} {...compared("delivered")} />
      <Stat label={w.errors} {...compared("errors")} />
    </StatRow>
  );
}

/** What is stored now, with the all-time figures that outlive every deletion. */
export function NowFigures({ stats }: { stats: Stats }) {
  const ever = stats.all_time;
  return (
    <Panel title={w.now} description={w.nowHint} flush>
      <StatRow className="rounded-t-none border-0">
        <Stat
          label={w.totalPosts}
          value={stats.total_posts}
          hint={w.allTime(formatCount(ever.fetched))}
          href="/posts"
        />
        <Stat label={w.unreviewed} value={stats.unreviewed_posts} href="/review" />
        <Stat
          label={w.approved}
          value={stats.approved_posts}
          hint={w.allTime(formatCount(ever.approved))}
          href="/posts?approved=true"
        />
        <Stat
          label={w.rejected}
          value={stats.rejected_posts}
          hint={w.allTime(formatCount(ever.rejected))}
          href="/posts?approved=false"
        />
        <Stat
          label={w.delivered}
          value={stats.queue_status.delivered}
          hint={w.allTime(formatCount(ever.delivered))}
          href="/posts?queue_status=delivered"
        />
        <Stat
          label={w.approvalRate}
          value={stats.total_posts === 0 ? "–" : formatPercent(stats.approval_rate)}
          hint={w.ofAllPosts}
          href="/posts"
        />
      </StatRow>
    </Panel>
  );
}
