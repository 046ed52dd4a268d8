import { FigureLink } from "#components/charts/figure-link.tsx";
import { formatCount, formatDuration } from "#components/format.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { peopleOnly, postsUrl } from "#lib/client/posts-url.ts";
import type { QueueSupply } from "#lib/queue/queue-overview.ts";
import type { Today } from "#lib/stats/get-overview.ts";
import type { BotFigures } from "#lib/stats/overview-schema.ts";

/** Bots with a line of their own. */
const MAX_BOTS = 3;

export interface FlowFacts {
  /** Time of the earliest planned fetch. */
  nextFetch: string | undefined;
  unreviewed: number;
  supply: QueueSupply;
  today: Today;
  bots: readonly Pick<BotFigures, "api_key_id" | "name" | "last_asked_at">[];
}

/** The four stages of a post, and one line about today. */
export function Flow({ nextFetch, unreviewed, supply, today, bots }: FlowFacts) {
  const { since, arrivals, decided, delivered } = today;
  const { available, runway_days: days } = supply;
  const held = supply.held.reduce((sum, { count }) => sum + count, 0);
  const lists = {
    fetched: postsUrl("fetched", { since }, peopleOnly),
    unreviewed: "/posts?reviewed=false",
  };
  return (
    <section aria-label="From intake to delivery" className="space-y-3">
      <StatRow>
        <Stat
          figure="arrivals"
          label="New today"
          value={arrivals}
          href={lists.fetched}
          hint={
            nextFetch === undefined ? (
              "no fetch is planned"
            ) : (
              <>
                next fetch <RelativeTime isAhead at={nextFetch} />
              </>
            )
          }
        />
        <Stat figure="unreviewed" label="To review" value={unreviewed} href={lists.unreviewed} />
        <Stat
          figure="available"
          label="Ready"
          value={available}
          href="/posts?queue_status=ready"
          hint={[
            ...(available > 0 && days !== null ? [`lasts ${formatDuration(days * 86_400)}`] : []),
            ...(held > 0 ? [`${formatCount(held)} held`] : []),
          ].join(" · ")}
        />
        <Stat
          figure="delivered"
          label="Delivered today"
          value={delivered}
          href={postsUrl("delivered", { since })}
          hint={
            bots.length === 0
              ? "no bot yet"
              : bots.slice(0, MAX_BOTS).map(({ api_key_id: id, name, last_asked_at: at }) => (
                  <span key={id} className="block wrap-anywhere">
                    {name} {at === null ? "has not asked yet" : "asked "}
                    {at === null ? null : <RelativeTime at={at} />}
                  </span>
                ))
          }
        />
      </StatRow>
      <p className="text-13">
        Today: <FigureLink href={lists.fetched}>{formatCount(arrivals)}</FigureLink> in,{" "}
        <FigureLink href={postsUrl("decided", { since })}>{formatCount(decided)}</FigureLink> decided,{" "}
        <FigureLink href={lists.unreviewed}>{formatCount(unreviewed)}</FigureLink>{" "}
        {unreviewed === 1 ? "waits" : "wait"}
      </p>
    </section>
  );
}
