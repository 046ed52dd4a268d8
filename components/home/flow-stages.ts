import type { LucideIcon } from "lucide-react";
import { GalleryVerticalEnd, ListOrdered, Send, Waves } from "lucide-react";
import type { Role } from "#components/shell/roles.ts";
import { reaches } from "#components/shell/roles.ts";
import { isBehind, nextFetchOf, type Intake } from "#components/streams/intake-state.ts";
import { isFailing } from "#components/streams/stream-name.ts";
import { formatCount, formatDuration, plural } from "#components/format.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { isSupplyLow, type QueueSupply } from "#lib/queue/overview-schema.ts";
import type { Today } from "#lib/stats/get-overview.ts";

const flowFailing = (bad: number, all: number) =>
  bad === all
    ? all === 1
      ? "The stream cannot be fetched"
      : `All ${all} streams cannot be fetched`
    : `${bad} of ${all} streams cannot be fetched`;

export type Health = "good" | "warn" | "bad" | "idle";

/** A figure in words. `href`: the posts that it counts. */
export interface Detail {
  text: string;
  href?: string | undefined;
}

export interface Stage {
  name: "intake" | "review" | "queue" | "delivery";
  icon: LucideIcon;
  href: string;
  figure: number;
  /** The posts that the figure counts. */
  list: string;
  meaning: FigureName;
  unit: string;
  health: Health;
  state: string;
  /** The posts that the state counts. */
  stateHref?: string | undefined;
  /** A time that follows the state. */
  at?: string | undefined;
  more: Detail[];
}

export interface FlowFacts {
  role: Role;
  now: number;
  /** All streams, paused ones too. */
  streams: number;
  active: readonly (Intake & Pick<Stream, "behind_since">)[];
  /** Planned fetches do not happen. */
  isOverdue: boolean;
  unreviewed: number;
  supply: Pick<QueueSupply, "available" | "held" | "counts" | "all_time" | "runway_days">;
  today: Today;
  failures: number;
  hasKey: boolean;
}

/** The four stages that a post goes through, each with its state and the page that shows it. */
export function flowStages(facts: FlowFacts): Stage[] {
  return [intake(facts), review(facts), queue(facts), delivery(facts)];
}

function intake({ streams, active, today, role, now, isOverdue }: FlowFacts): Stage {
  const failing = active.filter(isFailing);
  const behind = active.filter((stream) => stream.behind_since !== null);
  const late = behind.filter((stream) => isBehind(stream, now));
  const next = nextFetchOf(active);
  const stage = {
    name: "intake",
    icon: Waves,
    href: "/streams",
    figure: today.arrivals,
    list: figureList("fetched", { since: today.since }, byPeople),
    meaning: "arrivals",
    unit: "new today",
  } as const;
  const of = (health: Health, state: string, rest: Partial<Stage> = {}): Stage => ({
    ...stage,
    more: [],
    health,
    state,
    ...rest,
  });
  if (streams === 0)
    return of("idle", "No streams yet", reaches(role, "admin") ? { href: "/streams?add=1" } : {});
  if (active.length === 0) return of("idle", "All streams are paused");
  if (failing.length > 0) {
    const [only] = failing.length === 1 ? failing : [];
    return of(
      failing.length === active.length ? "bad" : "warn",
      flowFailing(failing.length, active.length),
      only === undefined ? {} : { href: `/streams/${only.id}` },
    );
  }
  if (isOverdue) return of("bad", "Fetches are overdue");
  if (late.length > 0) return of("warn", `${plural(late.length, "stream has", "streams have")} a backlog`);
  if (behind.length > 0) return of("good", "Reading older posts");
  return next === undefined ? of("good", "Fetched on demand only") : of("good", "Next fetch", { at: next });
}

function review({ unreviewed, today, role }: FlowFacts): Stage {
  const decided = {
    text: `${formatCount(today.decided)} decided today`,
    href: figureList("decided", { since: today.since }),
  };
  return {
    name: "review",
    icon: GalleryVerticalEnd,
    href: reaches(role, "reviewer") ? "/review" : "/posts?reviewed=false",
    figure: unreviewed,
    list: "/posts?reviewed=false",
    meaning: "unreviewed",
    unit: "waiting",
    health: unreviewed === 0 ? "idle" : "good",
    state: unreviewed === 0 ? "Nothing to review" : decided.text,
    stateHref: unreviewed === 0 ? undefined : decided.href,
    more: unreviewed === 0 && today.decided > 0 ? [decided] : [],
  };
}

function queue({ supply, today }: FlowFacts): Stage {
  const { available, runway_days: days, held } = supply;
  const heldNow = held.reduce((sum, { count }) => sum + count, 0);
  const isLow = isSupplyLow(days);
  const lasts = days === null ? null : `Lasts ${formatDuration(days * 86_400)}`;
  return {
    name: "queue",
    icon: ListOrdered,
    href: "/queue",
    figure: available,
    list: "/posts?queue_status=ready",
    meaning: "available",
    unit: "ready",
    health: available === 0 ? (isLow ? "bad" : "idle") : isLow ? "warn" : "good",
    state: available === 0 ? "Empty" : (lasts ?? `${formatCount(today.approved)} approved today`),
    stateHref: available === 0 || lasts !== null ? undefined : figureList("approved", { since: today.since }),
    more:
      heldNow > 0
        ? [{ text: `${formatCount(heldNow)} held`, href: "/posts?queue_status=pending&held_by=any" }]
        : [],
  };
}

function delivery({ role, supply, today, failures, hasKey }: FlowFacts): Stage {
  const { all_time: ever, available, counts } = supply;
  const isNew = ever.delivered + ever.errors + ever.nacks + ever.timeouts + counts.reserved === 0;
  const list = figureList("delivered", { since: today.since });
  const of = (health: Health, state: string, href: string, stateHref?: string): Stage => ({
    name: "delivery",
    icon: Send,
    href,
    figure: today.delivered,
    list,
    meaning: "delivered",
    unit: "delivered today",
    health,
    state,
    stateHref,
    more: [],
  });
  if (isNew && !reaches(role, "admin")) return of("idle", "No bot has asked yet", "/queue");
  if (isNew && !hasKey) return of("idle", "No API key yet", "/settings/keys?generate=1");
  if (isNew) return of("idle", "No bot has asked yet", "/settings/keys#connect");
  if (today.recent_deliveries === 0 && available > 0)
    return of("bad", "No delivery for three days", "/settings/keys");
  if (failures > 0)
    return of(
      "warn",
      plural(failures, "failed delivery", "failed deliveries"),
      "/queue#errors",
      "/posts?queue_status=error",
    );
  return of("good", "No errors", list);
}
