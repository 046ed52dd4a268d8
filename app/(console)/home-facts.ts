import { cache } from "react";
import type { AttentionFacts } from "#components/home/attention.tsx";
import type { FlowFacts } from "#components/home/flow.tsx";
import { nextFetchOf } from "#components/streams/stream-name.ts";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import type { CurrentMember } from "#lib/accounts/current-member.ts";
import { isoTimes, now } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { checkWorker } from "#lib/base/http/health.ts";
import { scopesOf, type Role } from "#lib/base/http/permissions.ts";
import { listOptOuts } from "#lib/collect/opt-outs.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { listWaitingHosts } from "#lib/fediverse/governed-request.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { getToday, listBotFigures } from "#lib/stats/get-overview.ts";
import { readAlerts } from "#lib/stats/alerts.ts";
import { readStats } from "./to-review.ts";

/* What Home shows. No query reads more posts than are shown; what several panels need is read once per page. */

const OVERDUE_MS = 15 * 60_000;

type Me = Pick<CurrentMember, "id" | "role">;

export const readKeys = cache((id: number, role: Role) =>
  keyStatus({ scopes: scopesOf(role), member_id: id }),
);

const readSupply = cache(queueSupply);

const readStreams = cache(async () => {
  const [{ items: streams }, waitingHosts] = await Promise.all([
    listStreams({ active: true, skip: 0, limit: 1000 }),
    listWaitingHosts(),
  ]);
  const nextFetch = nextFetchOf(streams);
  const isOverdue =
    nextFetch !== undefined &&
    now().getTime() - Date.parse(nextFetch) > OVERDUE_MS &&
    // On Vercel the scheduler may run once a day. A host in back-off delays its streams.
    env().VERCEL === undefined &&
    waitingHosts.length === 0;
  return { streams, nextFetch, isOverdue };
});

export async function readFlow(): Promise<FlowFacts> {
  const [{ nextFetch }, { unreviewed_posts: unreviewed }, supply, today, bots] = await Promise.all([
    readStreams(),
    readStats(),
    readSupply(),
    getToday(),
    listBotFigures(1),
  ]);
  return { nextFetch, unreviewed, supply, today, bots: bots.map(isoTimes) };
}

export async function readAttention({ id, role }: Me): Promise<AttentionFacts> {
  const isAdmin = role === "admin";
  const time = now().getTime();
  const [intake, { unreviewed_posts: unreviewed }, { counts }, optOuts, { keys }, alerts, worker] =
    await Promise.all([
      readStreams(),
      readStats(),
      readSupply(),
      listOptOuts(),
      readKeys(id, role),
      readAlerts(),
      isAdmin ? checkWorker() : null,
    ]);
  return {
    ...intake,
    now: time,
    role,
    unreviewed,
    keys,
    failedDeliveries: counts.error,
    optOuts: optOuts.total,
    workerSilentSince:
      worker?.status === "silent"
        ? new Date(time - worker.last_round_age_seconds * 1000).toISOString()
        : null,
    // Only admins see alerts about the machine, the streams and other members' keys.
    alerts: alerts.filter(
      ({ rule, subject }) =>
        isAdmin ||
        rule === "supply.low" ||
        rule === "errors.jump" ||
        (rule === "key.silent" && keys.some((key) => key.id === subject)),
    ),
  };
}
