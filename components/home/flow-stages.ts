import type { LucideIcon } from "lucide-react";
import { GalleryVerticalEnd, ListOrdered, Send, Waves } from "lucide-react";
import type { Role } from "#components/shell/roles.ts";
import { reaches } from "#components/shell/roles.ts";
import { isBehind, nextFetchOf, type Intake } from "#components/streams/intake-state.ts";
import { isFailing } from "#components/streams/stream-name.ts";
import { words } from "#components/words/en.ts";
import { formatCount, formatDuration } from "#components/words/format.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { isSupplyLow, type QueueSupply } from "#lib/queue/overview-schema.ts";
import type { Today } from "#lib/stats/get-overview.ts";

const w = words.home.flow;

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
    unit: w.newToday,
  } as const;
  const of = (health: Health, state: string, rest: Partial<Stage> = {}): Stage => ({
    ...stage,
    more: [],
    health,
    state,
    ...rest,
  });
  if (streams === 0) return of("idle", w.noStream, reaches(role, "admin") ? { href: "/streams?add=1" } : {});
  if (active.length === 0) return of("idle", w.allPaused);
  if (failing.length > 0) {
    const [only] = failing.length === 1 ? failing : [];
    return of(
      failing.length === active.length ? "bad" : "warn",
      w.failing(failing.length, active.length),
      only === undefined ? {} : { href: `/streams/${only.id}` },
    );
  }
  if (isOverdue) return of("bad", w.overdue);
  if (late.length > 0) return of("warn", w.backlog(late.length));
  if (behind.length > 0) return of("good", w.readingOlder);
  return next === undefined ? of("good", w.byHand) : of("good", w.nextFetch, { at: next });
}

function review({ unreviewed, today, role }: FlowFacts): Stage {
  const decided = {
    text: w.decidedToday(formatCount(today.decided)),
    href: figureList("decided", { since: today.since }),
  };
  return {
    name: "review",
    icon: GalleryVerticalEnd,
    href: reaches(role, "reviewer") ? "/review" : "/posts?reviewed=false",
    figure: unreviewed,
    list: "/posts?reviewed=false",
    meaning: "unreviewed",
    unit: w.waiting,
    health: unreviewed === 0 ? "idle" : "good",
    state: unreviewed === 0 ? w.allReviewed : decided.text,
    stateHref: unreviewed === 0 ? undefined : decided.href,
    more: unreviewed === 0 && today.decided > 0 ? [decided] : [],
  };
}

function queue({ supply, today }: FlowFacts): Stage {
  const { available, runway_days: days, held } = supply;
  const heldNow = held.reduce((sum, { count }) => sum + count, 0);
  const isLow = isSupplyLow(days);
  const lasts = days === null ? null : w.lasts(formatDuration(days * 86_400));
  return {
    name: "queue",
    icon: ListOrdered,
    href: "/queue",
    figure: available,
    list: "/posts?queue_status=ready",
    meaning: "available",
    unit: w.ready,
    health: available === 0 ? (isLow ? "bad" : "idle") : isLow ? "warn" : "good",
    state: available === 0 ? w.queueEmpty : (lasts ?? w.approvedToday(formatCount(today.approved))),
    stateHref: available === 0 || lasts !== null ? undefined : figureList("approved", { since: today.since }),
    more:
      heldNow > 0
        ? [{ text: w.heldNow(formatCount(heldNow)), href: "/posts?queue_status=pending&held_by=any" }]
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
    unit: w.deliveredToday,
    health,
    state,
    stateHref,
    more: [],
  });
  if (isNew && !reaches(role, "admin")) return of("idle", w.noBot, "/queue");
  if (isNew && !hasKey) return of("idle", w.noKey, "/settings/keys?generate=1");
  if (isNew) return of("idle", w.noBot, "/settings/keys#connect");
  if (today.recent_deliveries === 0 && available > 0) return of("bad", w.silent, "/settings/keys");
  if (failures > 0) return of("warn", w.failed(failures), "/queue#errors", "/posts?queue_status=error");
  return of("good", w.noErrors, list);
}
