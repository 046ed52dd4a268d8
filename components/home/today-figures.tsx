import type { ReactNode } from "react";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { figureList } from "#lib/client/figure-lists.ts";
import type { ListedMetric } from "#lib/stats/metrics-schema.ts";
import type { OwnFigures as Own } from "#lib/stats/get-overview.ts";
import { addDays } from "#lib/stats/overview-schema.ts";
import type { DailyStats } from "#lib/stats/schema.ts";

const w = words.home;

export function OwnFigures({ own, memberId, day }: { own: Own; memberId: number; day: string }) {
  const today = { from: day, to: day };
  const list = (flow: ListedMetric, range = today) => figureList(flow, range, { reviewer: memberId });
  const rate = own.reviewed === 0 ? null : (100 * own.approved) / own.reviewed;
  return (
    <Figures title={w.own} hint={w.ownHint}>
      <Stat
        figure="decided"
        label={w.reviewed}
        value={own.reviewed}
        hint={w.week(formatCount(own.week))}
        href={list("reviewed")}
        hintHref={list("reviewed", { from: addDays(day, -6), to: day })}
      />
      <Stat figure="approved" label={w.approved} value={own.approved} href={list("approved")} />
      <Stat figure="rejected_by_reviewers" label={w.rejected} value={own.rejected} href={list("rejected")} />
      <Stat figure="approval_rate" label={w.ownRate} value={formatPercent(rate)} href={list("reviewed")} />
    </Figures>
  );
}

export function TodayFigures({ today }: { today: DailyStats["days"][number] }) {
  const list = (flow: ListedMetric) => figureList(flow, { from: today.date, to: today.date });
  return (
    <Figures title={w.today} hint={w.todayHint}>
      <Stat figure="fetched" label={w.fetched} value={today.fetched} href={list("fetched")} />
      <Stat figure="reviewed" label={w.reviewed} value={today.reviewed} href={list("reviewed")} />
      <Stat figure="approved" label={w.approved} value={today.approved} href={list("approved")} />
      <Stat figure="delivered" label={w.delivered} value={today.delivered} href={list("delivered")} />
      <Stat
        figure="errors"
        label={w.failed}
        value={today.errors}
        href={list("errors")}
        className="max-desk:col-span-2"
      />
    </Figures>
  );
}

function Figures({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-14 font-semibold">{title}</h2>
      <p className="mb-2 text-13 text-muted">{hint}</p>
      <StatRow>{children}</StatRow>
    </section>
  );
}
