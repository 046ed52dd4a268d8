import { ArrowRight, GalleryVerticalEnd, ListOrdered, Send, Waves, type LucideIcon } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";
import { formatCount, formatDuration } from "#components/format.ts";
import { reaches, type Role } from "#components/shell/roles.ts";
import { Card } from "#components/ui/card.tsx";
import { FigureHelp } from "#components/ui/figure-help.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { QueueSupply } from "#lib/queue/overview-schema.ts";
import type { Today } from "#lib/stats/get-overview.ts";

/** Bots that are named. */
const BOTS = 3;

export interface FlowFacts {
  role: Role;
  /** The earliest planned one. */
  nextFetch: string | undefined;
  unreviewed: number;
  supply: QueueSupply;
  today: Today;
  keys: readonly ApiKey[];
}

/** The four stages that a post goes through, in a row, and the team's day in a line. */
export function Flow(facts: FlowFacts) {
  const { role, nextFetch, unreviewed, supply, today, keys } = facts;
  const { since, arrivals, decided, delivered } = today;
  const held = supply.held.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card className="overflow-hidden">
      <ol
        aria-label="From intake to delivery"
        className="grid gap-px bg-line desk:grid-cols-2 wide:grid-cols-4"
      >
        <Stage
          name="Intake"
          icon={Waves}
          href="/streams"
          figure={arrivals}
          unit="new today"
          meaning="arrivals"
          list={figureList("fetched", { since }, byPeople)}
        >
          {nextFetch === undefined ? (
            "No fetch is planned"
          ) : (
            <>
              Next fetch <RelativeTime isAhead at={nextFetch} />
            </>
          )}
        </Stage>
        <Stage
          name="Review"
          icon={GalleryVerticalEnd}
          href={reaches(role, "reviewer") ? "/review" : "/posts?reviewed=false"}
          figure={unreviewed}
          unit="waiting"
          meaning="unreviewed"
          list="/posts?reviewed=false"
        >
          {unreviewed === 0 ? "Nothing to review" : "Oldest first"}
        </Stage>
        <Stage
          name="Queue"
          icon={ListOrdered}
          href="/queue"
          figure={supply.available}
          unit="ready"
          meaning="available"
          list="/posts?queue_status=ready"
        >
          {supply.available === 0
            ? "Empty"
            : supply.runway_days === null
              ? "No delivery lately"
              : `Lasts ${formatDuration(supply.runway_days * 86_400)}`}
          {held > 0 ? (
            <>
              {" · "}
              <Counted href="/posts?queue_status=pending&held_by=any">{formatCount(held)} held</Counted>
            </>
          ) : null}
        </Stage>
        <Stage
          name="Delivery"
          icon={Send}
          href={keys.length === 0 ? "/settings/keys#connect" : "/settings/keys"}
          figure={delivered}
          unit="delivered today"
          meaning="delivered"
          list={figureList("delivered", { since })}
        >
          {keys.length === 0 ? "No API key yet" : null}
          {keys
            .filter(({ scopes }) => scopes.includes("consume"))
            .slice(0, BOTS)
            .map(({ id, name, last_asked_at: at }) => (
              <span key={id} className="block wrap-anywhere">
                {name} {at === null ? "has not asked yet" : "asked "}
                {at === null ? null : <RelativeTime at={at} />}
              </span>
            ))}
        </Stage>
      </ol>
      <p className="border-t border-line px-4 py-2.5 text-13">
        Today: <Counted href={figureList("fetched", { since }, byPeople)}>{formatCount(arrivals)}</Counted>{" "}
        in, <Counted href={figureList("decided", { since })}>{formatCount(decided)}</Counted> decided,{" "}
        <Counted href="/posts?reviewed=false">{formatCount(unreviewed)}</Counted> wait
      </p>
    </Card>
  );
}

interface StageProps {
  name: string;
  icon: LucideIcon;
  href: string;
  figure: number;
  unit: string;
  meaning: FigureName;
  /** The posts that the figure counts. */
  list: string;
  children: ReactNode;
}

function Stage(props: StageProps) {
  const { name, icon: Icon, href, figure, unit, meaning, list, children } = props;
  return (
    <li className="group relative bg-surface px-4 py-2.5 has-[a:hover]:bg-wash desk:py-3">
      <div className="flex items-baseline gap-2 desk:block">
        <span className="flex min-w-24 items-center gap-1.5 self-center text-13 font-medium text-muted">
          <Icon aria-hidden className="size-4" />
          <NextLink
            href={href}
            prefetch={false}
            className="after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {name}
          </NextLink>
        </span>
        <span className="ms-auto flex items-baseline gap-1.5 desk:mt-1">
          <NextLink
            href={list}
            prefetch={false}
            className="relative z-1 flex items-baseline gap-1.5 rounded-sm hover:underline pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <span data-figure={meaning} className="tabular text-20 font-semibold tracking-tight">
              {formatCount(figure)}
            </span>
            <span className="text-13 text-muted">{unit}</span>
          </NextLink>
          <FigureHelp
            figure={meaning}
            label={`${name}, ${unit}`}
            className="relative z-1 -my-1 self-center pointer-coarse:-me-3 pointer-coarse:-my-3"
          />
        </span>
      </div>
      <p className="mt-0.5 text-13 text-muted desk:mt-1">{children}</p>
      <span
        aria-hidden
        className="absolute end-0 top-1/2 z-1 hidden size-5 translate-x-[calc(50%+0.5px)] -translate-y-1/2 items-center justify-center rounded-full border border-line bg-surface wide:flex wide:group-last:hidden rtl:-translate-x-[calc(50%+0.5px)]"
      >
        <ArrowRight className="size-3 text-muted rtl:rotate-180" />
      </span>
    </li>
  );
}

/** A figure in a sentence, with its posts. */
function Counted({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      tone="plain"
      className="relative z-1 underline decoration-line-strong decoration-dotted hover:decoration-current"
    >
      {children}
    </Link>
  );
}
