import { heldReasons } from "#components/words.ts";
import { Hourglass, OctagonAlert, PackageX, TriangleAlert } from "lucide-react";
import { reaches } from "#components/shell/roles.ts";
import { formatCount, formatDuration, plural } from "#components/format.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { alertsOf, type Attention, type AttentionFacts } from "./attention-facts.ts";

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
      title: available === 0 ? "The queue is empty" : `The queue lasts ${formatDuration(days * 86_400)}`,
      hint: `Boost bots take ${formatCount(pace)} posts a day.`,
      href: canFill ? "/review" : "/queue",
      step: canFill ? "Review posts" : "Open queue",
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
      title: jump?.title ?? plural(count, "failed delivery", "failed deliveries"),
      hint: first && (reasons.length === 1 ? first.reason : `Most often: ${first.reason}`),
      href: "/queue#errors",
      step: "Show errors",
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
      title: `${plural(count, "opt-out", "opt-outs")} reported by boost bots`,
      hint: "Posts of these authors are held until somebody decides.",
      href: "/blocking#opt-outs",
      step: "Decide",
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
      title: `${plural(count, "approved post is", "approved posts are")} held: ${heldReasons[reason]?.name ?? reason}`,
      hint: heldReasons[reason]?.howToRelease,
      href: withQuery("/posts", { queue_status: "pending", held_by: reason }),
      step: "Show posts",
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
      title: `${plural(count, "post was", "posts were")} refused again and again`,
      hint:
        count === 1
          ? "Boost bots return it or do not answer. It waits longer each time."
          : "Boost bots return them or do not answer. They wait longer each time.",
      href: "/queue#refused",
      step: "Show posts",
      least: "admin",
    },
  ];
}
