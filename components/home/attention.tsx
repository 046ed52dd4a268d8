import {
  DatabaseBackup,
  GalleryVerticalEnd,
  HardDrive,
  Hourglass,
  KeyRound,
  OctagonAlert,
  PackageX,
  ServerOff,
  TriangleAlert,
  UserPlus,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { formatCount, formatDuration, plural } from "#components/format.ts";
import { reaches, type Role } from "#components/shell/roles.ts";
import { isBehind } from "#components/streams/intake-state.ts";
import { isFailing, streamName } from "#components/streams/stream-name.ts";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { heldReasons } from "#components/words.ts";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import type { QueueSupply } from "#lib/queue/overview-schema.ts";
import type { AlertName } from "#lib/stats/alert-schema.ts";

export type Severity = "problem" | "warning" | "work" | "note";

export interface Attention {
  key: string;
  severity: Severity;
  icon: LucideIcon;
  title: string;
  hint?: ReactNode;
  href: string;
  /** Label of the button to `href`. */
  step: string;
  /** Lowest role that can settle it. */
  least: Role;
}

/** An alert whose condition holds (lib/stats). */
export interface FoundAlert {
  rule: AlertName;
  /** Id of the stream or key; 0 for the installation. */
  subject: number;
  title: string;
  path: string;
}

export interface AttentionFacts {
  now: number;
  role: Role;
  unreviewed: number;
  /** Reasons of failed deliveries, most frequent first. */
  errors: readonly { reason: string; count: number }[];
  /** Reported, not decided. */
  optOuts: number;
  streams: readonly Stream[];
  /** Time of a planned fetch that should have happened long ago. */
  overdueSince: string | null;
  waitingHosts: readonly { host: string; until: string }[];
  supply: Pick<QueueSupply, "available" | "deliveries_per_day" | "runway_days" | "held" | "kept_back">;
  keys: readonly ApiKey[];
  alerts: readonly FoundAlert[];
  /** The rest is empty for everybody but admins. */
  invitations: number;
  workerSilentSince: string | null;
  /** Why the latest backup failed. */
  backupFailure: { at: string; reason: string } | null;
}

/** Streams that are named; the rest is one more entry. */
const SHOWN = 3;
const DAY_MS = 86_400_000;
const WARN_BEFORE_EXPIRY_MS = 7 * DAY_MS;
/** Other holds end by themselves or are intended; opt-outs have an entry of their own. */
const HELD_FOR_PEOPLE = "no https address";

/** Open tasks and problems, the most urgent first; for reviewers the posts to review. */
export function findAttention(facts: AttentionFacts): Attention[] {
  const all = [...machine(facts), ...streams(facts), ...queue(facts), ...keys(facts), ...people(facts)];
  const order: Severity[] =
    facts.role === "reviewer"
      ? ["work", "problem", "warning", "note"]
      : ["problem", "warning", "work", "note"];
  return order.flatMap((severity) => all.filter((entry) => entry.severity === severity));
}

function alertsOf({ alerts }: AttentionFacts, rule: AlertName): FoundAlert[] {
  return alerts.filter((alert) => alert.rule === rule);
}

const problem = { severity: "problem", least: "admin" } as const;
const warning = { severity: "warning", icon: TriangleAlert, least: "admin" } as const;

/** The backup, the disk and the worker. */
function machine(facts: AttentionFacts): Attention[] {
  const { backupFailure: failure, workerSilentSince, overdueSince } = facts;
  const backups = alertsOf(facts, "backup.failed").map(({ title, path }): Attention => ({
    ...problem,
    key: "backups",
    icon: DatabaseBackup,
    title,
    hint: failure && (
      <>
        {failure.reason} · last attempt <RelativeTime at={failure.at} />
      </>
    ),
    href: path,
    step: "Backups",
  }));
  const disk = alertsOf(facts, "disk.full").map(({ title, path }): Attention => ({
    ...problem,
    key: "disk",
    icon: HardDrive,
    title,
    hint: "When it is full, no post can be stored.",
    href: path,
    step: "Checks of the installation",
  }));
  const toStreams = { ...problem, href: "/streams", step: "All streams" };
  const silent: Attention = {
    ...toStreams,
    key: "worker",
    icon: ServerOff,
    title: "No background work is done",
    hint: (
      <>
        Posts are not fetched, checked or confirmed. Look into the log of the worker. Its last round ended{" "}
        <RelativeTime at={workerSilentSince} />.
      </>
    ),
  };
  const overdue: Attention = {
    ...toStreams,
    key: "overdue",
    icon: Hourglass,
    title: "Fetches are overdue",
    hint: (
      <>
        The background worker is stopped or has too much to do. The oldest was planned{" "}
        <RelativeTime at={overdueSince} />.
      </>
    ),
  };
  return [
    ...backups,
    ...disk,
    ...(workerSilentSince === null ? [] : [silent]),
    ...(overdueSince === null ? [] : [overdue]),
  ];
}

function streams(facts: AttentionFacts): Attention[] {
  const failing = facts.streams.filter(isFailing);
  const until = new Map(facts.waitingHosts.map((host) => [host.host, host.until]));
  const failed = {
    ...warning,
    severity: failing.length === facts.streams.length ? "problem" : "warning",
  } as const;
  const named = failing.slice(0, SHOWN).map((stream): Attention => {
    const asked = until.get(stream.instance);
    const needsToken = stream.state === "waiting_for_token";
    return {
      ...failed,
      key: `stream-${stream.id}`,
      title: `${streamName(stream)} ${needsToken ? "waits for an access token" : "cannot be fetched"}`,
      hint: (
        <>
          {stream.last_error?.replace(/\.$/, "")} ·{" "}
          {asked === undefined ? "failing since" : "fetching paused, next attempt"}{" "}
          <RelativeTime isAhead={asked !== undefined} at={asked ?? stream.failing_since} />
        </>
      ),
      href: needsToken
        ? withQuery("/settings/installation", { server: stream.instance })
        : `/streams/${stream.id}`,
      step: needsToken ? "Set token" : "Open stream",
    };
  });
  const more: Attention = {
    ...failed,
    key: "more-streams",
    title: `${plural(failing.length - SHOWN, "more stream", "more streams")} cannot be fetched`,
    href: "/streams",
    step: "All streams",
  };
  const silent = alertsOf(facts, "stream.silent")
    .filter(({ subject }) => failing.every(({ id }) => id !== subject))
    .slice(0, SHOWN)
    .map(({ subject, title, path }) => ({
      ...warning,
      key: `silent-stream-${subject}`,
      title,
      href: path,
      step: "Open stream",
    }));
  const behind = facts.streams
    .filter((stream) => isBehind(stream, facts.now) && !isFailing(stream))
    .slice(0, SHOWN)
    .map((stream) => ({
      ...warning,
      key: `behind-${stream.id}`,
      title: `${streamName(stream)} has a backlog`,
      hint: (
        <>
          Its fetches have not read all new posts since <RelativeTime at={stream.behind_since} />.
        </>
      ),
      href: `/streams/${stream.id}`,
      step: "Open stream",
    }));
  return [...named, ...(failing.length > SHOWN ? [more] : []), ...silent, ...behind];
}

function queue(facts: AttentionFacts): Attention[] {
  const { unreviewed, supply, errors, optOuts } = facts;
  const { available, deliveries_per_day: pace, runway_days: days, held, kept_back: refused } = supply;
  const canFill = unreviewed > 0 && reaches(facts.role, "reviewer");
  const forReviewers = { ...warning, least: "reviewer" } as const;
  const found: Attention[] = [];
  if (days !== null && alertsOf(facts, "supply.low").length > 0)
    found.push({
      key: "supply",
      severity: available === 0 ? "problem" : "warning",
      icon: Hourglass,
      title: available === 0 ? "The queue is empty" : `The queue lasts ${formatDuration(days * 86_400)}`,
      hint: `Boost bots take ${formatCount(pace)} posts a day.`,
      href: canFill ? "/review" : "/queue",
      step: canFill ? "Review posts" : "Open queue",
      least: unreviewed > 0 ? "reviewer" : "admin",
    });
  const [first] = errors;
  const [jump] = alertsOf(facts, "errors.jump");
  if (first !== undefined || jump !== undefined) {
    const count = errors.reduce((sum, group) => sum + group.count, 0);
    found.push({
      ...forReviewers,
      key: "errors",
      severity: jump === undefined ? "warning" : "problem",
      icon: OctagonAlert,
      title: jump?.title ?? plural(count, "failed delivery", "failed deliveries"),
      hint: first && (errors.length === 1 ? first.reason : `Most often: ${first.reason}`),
      href: "/queue#errors",
      step: "Show errors",
    });
  }
  if (optOuts > 0)
    found.push({
      ...forReviewers,
      key: "opt-outs",
      title: `${plural(optOuts, "opt-out", "opt-outs")} reported by boost bots`,
      hint: "Posts of these authors are held until somebody decides.",
      href: "/blocking#opt-outs",
      step: "Decide",
    });
  const unusable = held.find(({ reason }) => reason === HELD_FOR_PEOPLE)?.count ?? 0;
  if (unusable > 0)
    found.push({
      ...forReviewers,
      key: "held",
      icon: PackageX,
      title: `${plural(unusable, "approved post is", "approved posts are")} held: ${heldReasons[HELD_FOR_PEOPLE]?.name}`,
      hint: heldReasons[HELD_FOR_PEOPLE]?.howToRelease,
      href: withQuery("/posts", { queue_status: "pending", held_by: HELD_FOR_PEOPLE }),
      step: "Show posts",
    });
  if (refused > 0)
    found.push({
      ...warning,
      key: "refused",
      icon: PackageX,
      title: `${plural(refused, "post was", "posts were")} refused again and again`,
      hint: "Boost bots return such posts or do not answer. Each waits longer each time.",
      href: "/queue#held",
      step: "Show posts",
    });
  return found;
}

/** Keys that expire, and bots that are silent, of the keys that the member sees. */
function keys(facts: AttentionFacts): Attention[] {
  const forEverybody = { severity: "warning", icon: KeyRound, least: "viewer" } as const;
  const expiring = facts.keys.flatMap(({ id, name, last_characters, ...key }): Attention[] => {
    if (key.expires_at === null) return [];
    const ends = Date.parse(key.expires_at);
    const place = { ...forEverybody, key: `key-${id}`, href: `/settings/keys#key-${id}`, step: "Open keys" };
    const label = `${name} (…${last_characters})`;
    if (Math.abs(ends - facts.now) > WARN_BEFORE_EXPIRY_MS) return [];
    if (ends > facts.now) {
      const hint = (
        <>
          <Expiry at={key.expires_at} />. Programs that use it are refused from then on.
        </>
      );
      return [{ ...place, title: `The key ${label} expires`, hint }];
    }
    // A program used it until lately, so somebody may miss it.
    if (key.last_used_at === null || ends - Date.parse(key.last_used_at) >= 2 * DAY_MS) return [];
    const hint = "Programs that use it are refused.";
    return [{ ...place, severity: "problem", title: `The key ${label} has expired`, hint }];
  });
  const silent = alertsOf(facts, "key.silent").flatMap(({ subject, title, path }): Attention[] => {
    const key = facts.keys.find(({ id }) => id === subject);
    if (key === undefined) return [];
    const hint = (
      <>
        It last asked for a post <RelativeTime at={key.last_asked_at} />.
      </>
    );
    return [{ ...forEverybody, key: `silent-${subject}`, title, hint, href: path, step: "Open key" }];
  });
  return [...expiring, ...silent];
}

function people({ unreviewed, invitations, role }: AttentionFacts): Attention[] {
  const mayReview = reaches(role, "reviewer");
  const work: Attention = {
    key: "unreviewed",
    severity: "work",
    icon: GalleryVerticalEnd,
    title: `${plural(unreviewed, "post", "posts")} to review`,
    hint: mayReview ? "Oldest first." : undefined,
    href: mayReview ? "/review" : "/posts?reviewed=false",
    step: mayReview ? "Review" : "Show",
    least: "reviewer",
  };
  const invited: Attention = {
    key: "invitations",
    severity: "note",
    icon: UserPlus,
    title: plural(invitations, "open invitation", "open invitations"),
    hint: "Sent but not yet accepted.",
    href: "/settings/members",
    step: "Team",
    least: "admin",
  };
  return [...(unreviewed > 0 ? [work] : []), ...(invitations > 0 ? [invited] : [])];
}
