import { LineChart } from "#components/charts/line-chart.tsx";
import type { ChartRow, SeriesTone } from "#components/charts/series.ts";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, formatDuration, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { addDays, daysOf, type Overview } from "#lib/stats/overview-schema.ts";
import { TablePanel } from "./table-panel.tsx";

const w = words.statistics;
type Bot = Overview["bots"][number];

const age = (seconds: number | null) => (seconds === null ? "–" : formatDuration(seconds));

const columns: Column<Bot>[] = [
  {
    key: "name",
    header: w.bot,
    primary: true,
    cell: (bot) => (
      <>
        {bot.name} {bot.active ? null : <Badge>{w.botInactive}</Badge>}
      </>
    ),
  },
  {
    key: "seen",
    figure: "bot_last_seen",
    header: w.lastSeen,
    width: "9rem",
    cell: (bot) => <RelativeTime at={bot.last_seen_at} fallback={words.common.never} />,
  },
  {
    key: "per_day",
    figure: "bot_deliveries_per_day",
    header: w.perDay,
    numeric: true,
    width: "7rem",
    cell: (bot) => formatCount(bot.deliveries_per_day),
  },
  {
    key: "delivered",
    figure: "bot_delivered",
    header: w.delivered,
    numeric: true,
    width: "7rem",
    cell: (bot) => formatCount(bot.delivered),
  },
  {
    key: "errors",
    figure: "bot_errors",
    header: w.errors,
    numeric: true,
    width: "6rem",
    cell: (bot) => formatCount(bot.errors),
  },
  {
    key: "error_share",
    figure: "bot_error_share",
    header: w.errorShare,
    numeric: true,
    width: "8rem",
    cell: (bot) => (bot.delivered + bot.errors === 0 ? "–" : formatPercent(bot.error_share)),
  },
  {
    key: "age",
    figure: "bot_age",
    header: w.ageMedian,
    numeric: true,
    width: "8rem",
    cell: (bot) => age(bot.age.p50),
  },
  {
    key: "age90",
    figure: "bot_age",
    header: w.age90,
    numeric: true,
    width: "7rem",
    wideOnly: true,
    cell: (bot) => age(bot.age.p90),
  },
];

const tones: readonly SeriesTone[] = ["accent", "info", "warn", "neutral"];

export function BotsPanel({ overview: { bots, range } }: { overview: Overview }) {
  const busy = bots.filter((bot) => bot.delivered > 0).slice(0, tones.length);
  const rows = Array.from({ length: daysOf(range) }, (_, back): ChartRow => {
    const date = addDays(range.from, back);
    const of = (bot: Bot) => bot.days.find((day) => day.date === date)?.delivered ?? 0;
    return { date, ...Object.fromEntries(busy.map((bot) => [`bot${bot.api_key_id}`, of(bot)])) };
  });
  return (
    <TablePanel
      unlisted
      title={w.bots}
      description={w.botsHint}
      columns={columns}
      rows={bots}
      rowKey={(bot) => bot.api_key_id}
      empty={
        <EmptyState
          title={w.botsEmpty}
          className="py-8"
          action={<ButtonLink href="/settings/keys">{w.botsStep}</ButtonLink>}
        >
          {w.botsEmptyHint}
        </EmptyState>
      }
    >
      {busy.length === 0 ? null : (
        <div className="border-t border-line p-4">
          <LineChart
            label={w.deliveriesByDay}
            rows={rows}
            x="date"
            height={180}
            series={busy.map((bot, n) => ({
              key: `bot${bot.api_key_id}`,
              label: bot.name,
              tone: tones[n] ?? "neutral",
            }))}
          />
        </div>
      )}
    </TablePanel>
  );
}
