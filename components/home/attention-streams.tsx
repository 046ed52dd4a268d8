import { plural } from "#components/format.ts";
import { Hourglass, ServerOff, TriangleAlert } from "lucide-react";
import { isBehind } from "#components/streams/intake-state.ts";
import { isFailing, streamName } from "#components/streams/stream-name.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { withQuery } from "#lib/client/query-string.ts";
import { alertsOf, SHOWN, type Attention, type AttentionFacts } from "./attention-facts.ts";

export function findInStreams(facts: AttentionFacts): Attention[] {
  return [
    ...silentWorker(facts),
    ...overdue(facts),
    ...failingStreams(facts),
    ...silentStreams(facts),
    ...backlogs(facts),
  ];
}

function silentWorker({ workerSilentSince: since }: AttentionFacts): Attention[] {
  if (since === null) return [];
  return [
    {
      key: "worker",
      severity: "problem",
      icon: ServerOff,
      title: "No background work is done",
      hint: (
        <>
          Posts are not fetched, checked or confirmed. Look into the log of the worker. Its last round ended{" "}
          <RelativeTime at={since} />.
        </>
      ),
      href: "/streams",
      step: "All streams",
      least: "admin",
    },
  ];
}

function overdue({ overdueSince }: AttentionFacts): Attention[] {
  if (overdueSince === null) return [];
  return [
    {
      key: "overdue",
      severity: "problem",
      icon: Hourglass,
      title: "Fetches are overdue",
      hint: (
        <>
          The background worker is stopped or has too much to do. The oldest was planned{" "}
          <RelativeTime at={overdueSince} />.
        </>
      ),
      href: "/streams",
      step: "All streams",
      least: "admin",
    },
  ];
}

function failingStreams({ streams, waitingHosts }: AttentionFacts): Attention[] {
  const until = new Map(waitingHosts.map((host) => [host.host, host.until]));
  const failing = streams.filter(isFailing);
  const severity = failing.length === streams.length ? "problem" : "warning";
  const rows = failing.slice(0, SHOWN).map((stream): Attention => {
    const asked = until.get(stream.instance);
    const needsToken = stream.state === "waiting_for_token";
    return {
      key: `stream-${stream.id}`,
      severity,
      icon: TriangleAlert,
      title: needsToken
        ? `${streamName(stream)} waits for an access token`
        : `${streamName(stream)} cannot be fetched`,
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
      least: "admin",
    };
  });
  if (failing.length > SHOWN) {
    rows.push({
      key: "more-streams",
      severity,
      icon: TriangleAlert,
      title: `${plural(failing.length - SHOWN, "more stream", "more streams")} cannot be fetched`,
      href: "/streams",
      step: "All streams",
      least: "admin",
    });
  }
  return rows;
}

/** Failing streams have entries of their own. */
function silentStreams(facts: AttentionFacts): Attention[] {
  const failing = new Set(facts.streams.filter(isFailing).map(({ id }) => id));
  return alertsOf(facts, "stream.silent")
    .filter(({ subject }) => !failing.has(subject))
    .slice(0, SHOWN)
    .map(({ subject, title, path }) => ({
      key: `silent-stream-${subject}`,
      severity: "warning",
      icon: TriangleAlert,
      title,
      href: path,
      step: "Open stream",
      least: "admin",
    }));
}

function backlogs({ streams, now }: AttentionFacts): Attention[] {
  return streams
    .filter((stream) => isBehind(stream, now) && !isFailing(stream))
    .slice(0, SHOWN)
    .map((stream) => ({
      key: `behind-${stream.id}`,
      severity: "warning",
      icon: TriangleAlert,
      title: `${streamName(stream)} has a backlog`,
      hint: (
        <>
          Its fetches have not read all new posts since <RelativeTime at={stream.behind_since} />.
        </>
      ),
      href: `/streams/${stream.id}`,
      step: "Open stream",
      least: "admin",
    }));
}
