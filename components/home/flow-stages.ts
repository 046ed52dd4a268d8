import type { LucideIcon } from "lucide-react";
import { GalleryVerticalEnd, ListOrdered, Send, Waves } from "lucide-react";
import type { Role } from "#components/shell/roles.ts";
import { reaches } from "#components/shell/roles.ts";
import { formatCount, formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { figureList } from "#lib/client/figure-lists.ts";
import type { FigureName } from "#lib/figures-schema.ts";
import type { QueueSupply } from "#lib/queue/overview-schema.ts";
import { arrivalsOf } from "#lib/stats/metrics-schema.ts";
import type { TeamPace } from "#lib/stats/team-pace.ts";
import { isFailing } from "#components/streams/stream-name.ts";
import { isBehind, nextFetchOf, type Intake } from "#components/streams/intake-state.ts";
import type { Stream } from "#lib/streams/schema.ts";

const w = words.home.flow;
const LOW_DAYS = 1;

export type Health = "good" | "warn" | "bad" | "idle";

export interface Stage {
  name: "intake" | "review" | "queue" | "delivery";
  icon: LucideIcon;
  href: string;
  figure: number;
  meaning: FigureName;
  unit: string;
  health: Health;
  state: string;
  /** A time that follows the state. */
  at?: string | undefined;
  more: string[];
}

export interface FlowFacts {
  role: Role;
  now: number;
  day: string;
  /** All streams, paused ones too. */
  streams: number;
  active: readonly (Intake & Pick<Stream, "behind_since">)[];
  /** Planned fetches do not happen. */
  isOverdue: boolean;
  unreviewed: number;
  supply: Pick<QueueSupply, "available" | "held" | "counts" | "all_time" | "runway_days">;
  today: Pick<TeamPace["today"], "fetched" | "auto_rejected" | "decided" | "approved" | "delivered">;
  failures: number;
  /** Today and on the two days before. */
  recentDeliveries: number;
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
    figure: arrivalsOf(today),
    meaning: "arrivals",
    unit: w.newToday,
  } as const;
  const of = (health: Health, state: string, rest: Partial<Stage> = {}): Stage => ({
    ...stage,
    more: today.auto_rejected > 0 ? [w.filteredToday(formatCount(today.auto_rejected))] : [],
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

function review({ unreviewed, today: { decided }, role }: FlowFacts): Stage {
  return {
    name: "review",
    icon: GalleryVerticalEnd,
    href: reaches(role, "reviewer") ? "/review" : "/posts?reviewed=false",
    figure: unreviewed,
    meaning: "unreviewed",
    unit: w.waiting,
    health: unreviewed === 0 ? "idle" : "good",
    state: unreviewed === 0 ? w.allReviewed : w.decidedToday(formatCount(decided)),
    more: unreviewed === 0 && decided > 0 ? [w.decidedToday(formatCount(decided))] : [],
  };
}

function queue({ supply, today }: FlowFacts): Stage {
  const { available, runway_days: days, held } = supply;
  const heldNow = held.reduce((sum, { count }) => sum + count, 0);
  const isLow = days !== null && days < LOW_DAYS;
  const lasts = days === null ? null : w.lasts(formatDuration(days * 86_400));
  return {
    name: "queue",
    icon: ListOrdered,
    href: "/queue",
    figure: available,
    meaning: "available",
    unit: w.ready,
    health: available === 0 ? (isLow ? "bad" : "idle") : isLow ? "warn" : "good",
    state: available === 0 ? w.queueEmpty : (lasts ?? w.approvedToday(formatCount(today.approved))),
    more: heldNow > 0 ? [w.heldNow(formatCount(heldNow))] : [],
  };
}

function delivery({ role, supply, today, failures, recentDeliveries, hasKey, day }: FlowFacts): Stage {
  const { all_time: ever, available, counts } = supply;
  const isNew = ever.delivered + ever.errors + counts.reserved === 0;
  const of = (health: Health, state: string, href: string): Stage => ({
    name: "delivery",
    icon: Send,
    href,
    figure: today.delivered,
    meaning: "delivered",
    unit: w.deliveredToday,
    health,
    state,
    more: [],
  });
  if (isNew && !reaches(role, "admin")) return of("idle", w.noBot, "/queue");
  if (isNew && !hasKey) return of("idle", w.noKey, "/settings/keys?generate=1");
  if (isNew) return of("idle", w.noBot, "/settings/keys#connect");
  if (recentDeliveries === 0 && available > 0) return of("bad", w.silent, "/settings/keys");
  if (failures > 0) return of("warn", w.failed(failures), "/queue#errors");
  return of("good", w.noErrors, figureList("delivered", { from: day, to: day }));
}
