import { Hourglass, OctagonAlert, PackageX, TriangleAlert } from "lucide-react";
import { reaches } from "#components/shell/roles.ts";
import { words } from "#components/words/en.ts";
import { formatCount, formatDuration } from "#components/words/format.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { alertsOf, type Attention, type AttentionFacts } from "./attention-facts.ts";

const w = words.home;

/** Entries about the queue and its deliveries. */
export function findInQueue(facts: AttentionFacts): Attention[] {
  return [...supply(facts), ...errors(facts), ...optOuts(facts), ...held(facts), ...refused(facts)];
}

function supply(facts: AttentionFacts): Attention[] {
  const { unreviewed: left, role } = facts;
  const { available, deliveries_per_day: pace, runway_days: days } = facts.supply;
  if (days === null || alertsOf(facts, "supply.low").length === 0) return [];
  const canFill = left > 0 && reaches(role, "reviewer");
  return [
    {
      key: "supply",
      severity: available === 0 ? "problem" : "warning",
      icon: Hourglass,
      title: available === 0 ? w.lowEmpty : w.low(formatDuration(days * 86_400)),
      hint: w.lowHint(formatCount(pace)),
      href: canFill ? "/review" : "/queue",
      step: canFill ? w.lowFill : w.lowStep,
      least: left > 0 ? "reviewer" : "admin",
    },
  ];
}

function errors(facts: AttentionFacts): Attention[] {
  const { errors: reasons } = facts;
  const [jump] = alertsOf(facts, "errors.jump");
  const count = reasons.reduce((sum, group) => sum + group.count, 0);
  const first = reasons[0];
  if (first === undefined && jump === undefined) return [];
  return [
    {
      key: "errors",
      severity: jump === undefined ? "warning" : "problem",
      icon: OctagonAlert,
      title: jump?.title ?? w.errors(count),
      hint: first && (reasons.length === 1 ? first.reason : w.errorsMost(first.reason)),
      href: "/queue#errors",
      step: w.errorsStep,
      least: "reviewer",
    },
  ];
}

function optOuts({ optOuts: count }: AttentionFacts): Attention[] {
  if (count === 0) return [];
  return [
    {
      key: "opt-outs",
      severity: "warning",
      icon: TriangleAlert,
      title: w.optOuts(count),
      hint: w.optOutsHint,
      href: "/blocking#opt-outs",
      step: w.optOutsStep,
      least: "reviewer",
    },
  ];
}

/** Other holds end by themselves or are intended; opt-outs have an entry of their own. */
const heldForPeople = ["no https address"];

function held({ supply: { held: counts } }: AttentionFacts): Attention[] {
  return counts
    .filter(({ reason, count }) => heldForPeople.includes(reason) && count > 0)
    .map(({ reason, count }) => ({
      key: `held-${reason}`,
      severity: "warning",
      icon: PackageX,
      title: w.held(count, words.queue.heldReasons[reason]?.name ?? reason),
      hint: words.queue.heldReasons[reason]?.howToRelease,
      href: withQuery("/posts", { queue_status: "pending", held_by: reason }),
      step: w.heldStep,
      least: "reviewer",
    }));
}

function refused({ supply: { kept_back: count } }: AttentionFacts): Attention[] {
  if (count === 0) return [];
  return [
    {
      key: "refused",
      severity: "warning",
      icon: PackageX,
      title: w.refused(count),
      hint: w.refusedHint(count),
      href: "/queue#refused",
      step: w.refusedStep,
      least: "admin",
    },
  ];
}
