import { CircleCheck, GalleryVerticalEnd, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { plural } from "#components/format.ts";
import { reaches, type Role } from "#components/shell/roles.ts";
import { isFailing, streamName } from "#components/streams/stream-name.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import type { FoundAlert } from "#lib/stats/alerts.ts";

interface Attention {
  severity: keyof typeof severities;
  title: string;
  hint?: ReactNode;
  href: string;
  /** Label of the button to `href`. */
  step: string;
}

export interface AttentionFacts {
  now: number;
  role: Role;
  unreviewed: number;
  failedDeliveries: number;
  /** Reported opt-outs that nobody has decided. */
  optOuts: number;
  /** Active streams. */
  streams: readonly Stream[];
  /** Time of the earliest planned fetch. */
  nextFetch: string | undefined;
  /** That fetch is overdue. */
  isOverdue: boolean;
  keys: readonly ApiKey[];
  /** Alerts that the member can act on. */
  alerts: readonly FoundAlert[];
  /** Time of the worker's last round, if it is silent. Null for members who are not admins. */
  workerSilentSince: string | null;
}

/** Failing streams with a row of their own; one more row counts the others. */
const MAX_STREAMS = 3;
const DAY_MS = 86_400_000;
const WARN_BEFORE_EXPIRY_MS = 7 * DAY_MS;

/** Open tasks and problems, the most urgent first. For reviewers, the posts to review come first. */
export function findAttention(facts: AttentionFacts): Attention[] {
  const { role, streams, alerts, unreviewed, failedDeliveries, optOuts, nextFetch } = facts;
  const failing = streams.filter(isFailing);
  const isFailingStream = ({ rule, subject }: FoundAlert) =>
    rule === "stream.silent" && failing.some(({ id }) => id === subject);
  const mayReview = reaches(role, "reviewer");
  const rows: (Attention | false)[] = [
    ...alerts
      .filter((alert) => !isFailingStream(alert))
      .map(({ title, path: href, step, advice: hint }) => ({
        severity: "problem" as const,
        title,
        hint,
        href,
        step,
      })),
    facts.workerSilentSince !== null && {
      severity: "problem",
      title: "No background work is done",
      hint: (
        <>
          Posts are not fetched, checked or confirmed. Look into the log of the worker. Its last round ended{" "}
          <RelativeTime at={facts.workerSilentSince} />.
        </>
      ),
      href: "/streams",
      step: "All streams",
    },
    facts.isOverdue && {
      severity: "problem",
      title: "Fetches are overdue",
      hint: (
        <>
          The background worker is stopped or has too much to do. The oldest was planned{" "}
          <RelativeTime at={nextFetch} />.
        </>
      ),
      href: "/streams",
      step: "All streams",
    },
    ...failing
      .slice(0, MAX_STREAMS)
      .map((stream) =>
        failingStream(stream, role, failing.length === streams.length ? "problem" : "warning"),
      ),
    failing.length > MAX_STREAMS && {
      severity: "warning",
      title: `${plural(failing.length - MAX_STREAMS, "more stream", "more streams")} cannot be fetched`,
      href: "/streams",
      step: "All streams",
    },
    failedDeliveries > 0 &&
      alerts.every(({ rule }) => rule !== "errors.jump") && {
        severity: "warning",
        title: plural(failedDeliveries, "failed delivery", "failed deliveries"),
        hint: "Reported by boost bots. They are not requeued automatically.",
        href: "/queue#errors",
        step: "Show errors",
      },
    optOuts > 0 && {
      severity: "warning",
      title: `${plural(optOuts, "opt-out", "opt-outs")} reported by boost bots`,
      hint: "Posts of these authors are held until somebody decides.",
      href: "/blocking#opt-outs",
      step: "Decide",
    },
    ...facts.keys.map((key) => endingKey(key, facts.now)),
    unreviewed > 0 && {
      severity: "work",
      title: `${plural(unreviewed, "post", "posts")} to review`,
      hint: mayReview ? "Oldest first." : undefined,
      href: mayReview ? "/review" : "/posts?reviewed=false",
      step: mayReview ? "Review" : "Show",
    },
  ];
  const order =
    role === "reviewer"
      ? (["work", "problem", "warning"] as const)
      : (["problem", "warning", "work"] as const);
  const held = rows.filter((row) => row !== false);
  return order.flatMap((severity) => held.filter((row) => row.severity === severity));
}

function failingStream(stream: Stream, role: Role, severity: "problem" | "warning"): Attention {
  const needsToken = stream.state === "waiting_for_token";
  const maySet = needsToken && role === "admin";
  return {
    severity,
    title: `${streamName(stream)} ${needsToken ? "waits for an access token" : "cannot be fetched"}`,
    hint: (
      <>
        {stream.last_error?.replace(/\.$/, "")} · failing since <RelativeTime at={stream.failing_since} />
      </>
    ),
    href: maySet ? `/settings/installation#server-${stream.instance}` : `/streams/${stream.id}`,
    step: maySet ? "Set token" : "Open stream",
  };
}

/** A key that expires soon, or that expired lately while a program still used it. */
function endingKey(key: ApiKey, now: number): Attention | false {
  const { id, name, last_characters, expires_at: at, last_used_at: used } = key;
  if (at === null || Math.abs(Date.parse(at) - now) > WARN_BEFORE_EXPIRY_MS) return false;
  const isOver = Date.parse(at) <= now;
  if (isOver && (used === null || Date.parse(at) - Date.parse(used) >= 2 * DAY_MS)) return false;
  return {
    severity: isOver ? "problem" : "warning",
    title: `The key ${name} (…${last_characters}) ${isOver ? "has expired" : "expires"}`,
    hint: (
      <>
        <Expiry at={at} />. Programs that use it are refused from then on.
      </>
    ),
    href: `/settings/keys#key-${id}`,
    step: "Open keys",
  };
}

const severities = {
  problem: { word: "Problem", tone: "text-reject", icon: OctagonAlert },
  warning: { word: "Warning", tone: "text-warn", icon: TriangleAlert },
  work: { word: "To do", tone: "text-accent", icon: GalleryVerticalEnd },
} as const;

/** A list whose first row is large. */
export function AttentionPanel(facts: AttentionFacts) {
  const rows = findAttention(facts);
  return (
    <Panel title="Needs attention" flush>
      {rows.length === 0 ? (
        <EmptyState title="Nothing to do" icon={<CircleCheck aria-hidden />} className="py-8">
          {facts.nextFetch === undefined ? (
            "New posts appear here after the next fetch."
          ) : (
            <>
              Next fetch of the streams <RelativeTime isAhead at={facts.nextFetch} />.
            </>
          )}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((row, index) => (
            <Row key={row.href + row.title} row={row} isLarge={index === 0} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ row: { severity, title, hint, href, step }, isLarge }: { row: Attention; isLarge: boolean }) {
  const { word, tone, icon: Icon } = severities[severity];
  return (
    <li
      className={cn(
        "flex flex-wrap items-start gap-x-3 gap-y-2 px-4 desk:items-center",
        isLarge ? "py-4" : "py-2.5",
      )}
    >
      <Icon aria-hidden className={cn("shrink-0", isLarge ? "size-6" : "size-5", tone)} />
      <div className="min-w-0 flex-1 basis-52">
        <p className={cn("tabular wrap-anywhere", isLarge ? "text-16 font-semibold" : "text-14 font-medium")}>
          <span className={severity === "work" ? "hidden-visually" : tone}>{word}: </span>
          {title}
        </p>
        {hint ? <p className="text-13 wrap-anywhere text-muted">{hint}</p> : null}
      </div>
      <div className="max-desk:basis-full max-desk:ps-8">
        <ButtonLink
          href={href}
          {...(isLarge ? { variant: "primary" as const } : { size: "sm" as const })}
          aria-label={`${step}: ${title}`}
        >
          {step}
        </ButtonLink>
      </div>
    </li>
  );
}
