import { plural } from "#components/format.ts";
import { DatabaseBackup, GalleryVerticalEnd, HardDrive, KeyRound, UserPlus } from "lucide-react";
import { reaches } from "#components/shell/roles.ts";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { alertsOf, type Attention, type AttentionFacts, type Severity } from "./attention-facts.ts";
import { findInQueue } from "./attention-queue.tsx";
import { findInStreams } from "./attention-streams.tsx";

const DAY_MS = 86_400_000;
const WARN_BEFORE_EXPIRY_MS = 7 * DAY_MS;

const order: Severity[] = ["problem", "warning", "work", "note"];

/** Open tasks and problems, the most urgent first; for reviewers the posts to review. */
export function findAttention(facts: AttentionFacts): Attention[] {
  const all = [
    ...machine(facts),
    ...findInStreams(facts),
    ...findInQueue(facts),
    ...keys(facts),
    ...silentBots(facts),
    ...unreviewed(facts),
    ...invitations(facts),
  ];
  const sorted = order.flatMap((severity) => all.filter((entry) => entry.severity === severity));
  if (facts.role !== "reviewer") return sorted;
  return [
    ...sorted.filter(({ severity }) => severity === "work"),
    ...sorted.filter(({ severity }) => severity !== "work"),
  ];
}

function unreviewed({ unreviewed: count, role }: AttentionFacts): Attention[] {
  if (count === 0) return [];
  const mayReview = reaches(role, "reviewer");
  return [
    {
      key: "unreviewed",
      severity: "work",
      icon: GalleryVerticalEnd,
      title: `${plural(count, "post", "posts")} to review`,
      hint: mayReview ? "Oldest first." : undefined,
      href: mayReview ? "/review" : "/posts?reviewed=false",
      step: mayReview ? "Review" : "Show",
      least: "reviewer",
    },
  ];
}

/** The backup and the disk. */
function machine(facts: AttentionFacts): Attention[] {
  const { backupFailure: failure } = facts;
  const backups = alertsOf(facts, "backup.failed").map(({ title, path }): Attention => ({
    key: "backups",
    severity: "problem",
    icon: DatabaseBackup,
    title,
    hint:
      failure === null ? undefined : (
        <>
          {failure.reason} · last attempt <RelativeTime at={failure.at} />
        </>
      ),
    href: path,
    step: "Backups",
    least: "admin",
  }));
  const disk = alertsOf(facts, "disk.full").map(({ title, path }): Attention => ({
    key: "disk",
    severity: "problem",
    icon: HardDrive,
    title,
    hint: "When it is full, no post can be stored.",
    href: path,
    step: "Checks of the installation",
    least: "admin",
  }));
  return [...backups, ...disk];
}

function keys({ keys: all, now }: AttentionFacts): Attention[] {
  return all.flatMap(({ id, name, last_characters, expires_at, last_used_at }): Attention[] => {
    if (expires_at === null) return [];
    const ends = Date.parse(expires_at);
    const label = `${name} (…${last_characters})`;
    const place = {
      icon: KeyRound,
      href: `/settings/keys#key-${id}`,
      step: "Open keys",
      least: "viewer",
    } as const;
    if (ends > now) {
      if (ends - now > WARN_BEFORE_EXPIRY_MS) return [];
      const hint = (
        <>
          <Expiry at={expires_at} />. Programs that use it are refused from then on.
        </>
      );
      return [{ key: `key-${id}`, severity: "warning", title: `The key ${label} expires`, hint, ...place }];
    }
    // A program used it until lately, so somebody may miss it.
    const isMissed = last_used_at !== null && ends - Date.parse(last_used_at) < 2 * DAY_MS;
    if (!isMissed || now - ends > WARN_BEFORE_EXPIRY_MS) return [];
    return [
      {
        key: `key-${id}`,
        severity: "problem",
        title: `The key ${label} has expired`,
        hint: "Programs that use it are refused.",
        ...place,
      },
    ];
  });
}

/** Of the keys that the member sees. */
function silentBots(facts: AttentionFacts): Attention[] {
  return alertsOf(facts, "key.silent").flatMap(({ subject, title, path }): Attention[] => {
    const key = facts.keys.find(({ id }) => id === subject);
    if (key === undefined) return [];
    return [
      {
        key: `silent-${subject}`,
        severity: "warning",
        icon: KeyRound,
        title,
        hint: (
          <>
            It last asked for a post <RelativeTime at={key.last_asked_at} />.
          </>
        ),
        href: path,
        step: "Open key",
        least: "viewer",
      },
    ];
  });
}

function invitations({ invitations: count }: AttentionFacts): Attention[] {
  if (count === 0) return [];
  return [
    {
      key: "invitations",
      severity: "note",
      icon: UserPlus,
      title: plural(count, "open invitation", "open invitations"),
      hint: "Sent but not yet accepted.",
      href: "/settings/members",
      step: "Team",
      least: "admin",
    },
  ];
}
