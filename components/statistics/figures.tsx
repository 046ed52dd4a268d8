import { Panel } from "#components/ui/card.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { metricsOf, type ListedMetric, type MetricOf } from "#lib/stats/metrics-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import type { Stats } from "#lib/stats/schema.ts";

const w = words.statistics;

/** Compared with the range before, of equal length. */
export function RangeFigures({ overview }: { overview: Overview }) {
  const { current, previous } = overview.totals;
  const lists = (metric: ListedMetric) => ({
    href: figureList(metric, overview.range),
    hintHref: figureList(metric, overview.previous),
  });
  const figure = (metric: MetricOf<"range">) => (
    <Stat
      key={metric}
      figure={metric}
      label={w[metric]}
      {...lists(metric)}
      value={current[metric]}
      delta={current[metric] === previous[metric] ? null : current[metric] - previous[metric]}
      hint={w.countBefore(formatCount(previous[metric]))}
    />
  );
  const rate = (
    <Stat
      key="rate"
      figure="approval_rate"
      label={w.approvalRate}
      {...lists("decided")}
      value={current.decided === 0 ? "–" : formatPercent(current.approval_rate)}
      hint={previous.decided === 0 ? w.noRateBefore : w.rateBefore(formatPercent(previous.approval_rate))}
    />
  );
  return (
    <StatRow>
      {metricsOf("range").map((metric) => (metric === "approved" ? [figure(metric), rate] : figure(metric)))}
    </StatRow>
  );
}

/** All-time figures survive deletion. */
export function NowFigures({ stats }: { stats: Stats }) {
  const ever = stats.all_time;
  return (
    <Panel level={3} title={w.now} description={w.nowHint} flush>
      <StatRow className="rounded-t-none border-0">
        <Stat
          figure="stored"
          label={w.totalPosts}
          value={stats.total_posts}
          hint={w.allTime(formatCount(ever.fetched))}
          href="/posts"
        />
        <Stat figure="unreviewed" label={w.unreviewed} value={stats.unreviewed_posts} href="/review" />
        <Stat
          figure="stored_approved"
          label={w.approved}
          value={stats.approved_posts}
          hint={w.allTime(formatCount(ever.approved))}
          href="/posts?approved=true"
        />
        <Stat
          figure="stored_rejected"
          label={w.rejected}
          value={stats.rejected_posts}
          hint={w.allTime(formatCount(ever.rejected))}
          href="/posts?approved=false"
        />
        <Stat
          figure="stored_delivered"
          label={w.delivered}
          value={stats.queue_status.delivered}
          hint={w.allTime(formatCount(ever.delivered))}
          href="/posts?queue_status=delivered"
        />
        <Stat
          figure="approval_rate"
          label={w.approvalRate}
          value={
            ever.approved + ever.rejected === ever.auto_rejected
              ? "–"
              : formatPercent(stats.approval_rate_of_decisions)
          }
          hint={w.ofAllTime}
          href={withQuery("/posts", { reviewed: true, ...byPeople })}
        />
      </StatRow>
    </Panel>
  );
}
