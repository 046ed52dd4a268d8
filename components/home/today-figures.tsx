import type { ReactNode } from "react";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { DailyStats } from "#lib/stats/schema.ts";

const w = words.home;

/** What this member has decided today. */
export function OwnFigures({
  own,
}: {
  own: { reviewed: number; approved: number; rejected: number; week: number };
}) {
  const rate = own.reviewed === 0 ? null : (100 * own.approved) / own.reviewed;
  return (
    <Figures title={w.own} hint={w.ownHint}>
      <Stat label={w.reviewed} value={own.reviewed} hint={w.week(formatCount(own.week))} />
      <Stat label={w.approved} value={own.approved} />
      <Stat label={w.rejected} value={own.rejected} />
      <Stat label={w.ownRate} value={formatPercent(rate)} />
    </Figures>
  );
}

/** What has happened today, whoever did it. */
export function TodayFigures({ today }: { today: DailyStats["days"][number] }) {
  return (
    <Figures title={w.today} hint={w.todayHint}>
      <Stat label={w.fetched} value={today.fetched} href="/streams" />
      <Stat label={w.reviewed} value={today.reviewed} href="/statistics" />
      <Stat label={w.approved} value={today.approved} href="/statistics" />
      <Stat label={w.delivered} value={today.delivered} href="/queue" />
      <Stat label={w.failed} value={today.errors} href="/queue#errors" className="max-desk:col-span-2" />
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
