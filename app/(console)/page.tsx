import type { Metadata } from "next";
import { FirstSteps } from "#components/home/first-steps.tsx";
import { RefreshPage } from "#components/home/refresh-page.tsx";
import { OwnFigures, TodayFigures } from "#components/home/today-figures.tsx";
import { WaitingPanel } from "#components/home/waiting-panel.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";
import { isBackupFailing, readBackupStatus } from "#lib/backup-status.ts";
import { requireMember, type CurrentMember } from "#lib/auth/current-member.ts";
import { getChecksSettings } from "#lib/classify/change-check-settings.ts";
import { listOptOuts } from "#lib/consent/opt-outs.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { listInvitations } from "#lib/members/invitations.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { getDailyStats, getErrorStats, getStats } from "#lib/stats/get-stats.ts";
import { getOwnFigures } from "#lib/stats/get-overview.ts";
import { listStreams } from "#lib/streams/read-streams.ts";
import { listWaitingHosts } from "#lib/hosts/host-state.ts";

export const metadata: Metadata = { title: words.home.title };

export default async function HomePage() {
  const member = await requireMember();
  const facts = await readFacts(member);
  const { stats, own, today } = facts;
  const mayReview = member.role !== "viewer";
  return (
    <>
      <RefreshPage />
      <PageHeader title={words.home.title} description={words.home.description} />
      <div className="space-y-6">
        {member.role === "admin" ? <FirstSteps stats={stats} hasKey={facts.hasKey} /> : null}
        <WaitingPanel
          role={member.role}
          unreviewed={stats.unreviewed_posts}
          errors={{ count: stats.queue_status.error, reason: facts.errors.groups[0]?.reason ?? null }}
          optOuts={facts.optOuts}
          streams={facts.streams}
          waitingHosts={facts.waitingHosts}
          supply={facts.queue}
          invitations={facts.invitations}
          stoppedChecks={facts.stoppedChecks}
          backupFailure={facts.backupFailure}
        />
        {mayReview ? <OwnFigures own={own} memberId={member.id} day={facts.day} /> : null}
        {today ? <TodayFigures today={today} /> : null}
      </div>
    </>
  );
}

async function readFacts({ id, role }: CurrentMember) {
  const day = new Date().toISOString().slice(0, 10);
  const [stats, queue, errors, optOuts, streams, waitingHosts, daily, own, keys, invitations, checks] =
    await Promise.all([
      getStats(),
      queueOverview(),
      getErrorStats(),
      listOptOuts(),
      listStreams({ active: true, skip: 0, limit: 1000 }),
      listWaitingHosts(),
      getDailyStats(1),
      getOwnFigures(id, day),
      keyStatus({ role, member_id: id }),
      role === "admin" ? listInvitations() : null,
      role === "admin" ? getChecksSettings() : null,
    ]);
  const backups = role === "admin" ? readBackupStatus() : null;
  return {
    day,
    stats,
    queue,
    errors,
    optOuts,
    streams: streams.items,
    waitingHosts,
    today: daily.days.at(-1),
    own,
    hasKey: keys.api_key_set,
    invitations: invitations?.total ?? 0,
    stoppedChecks: checks?.checks.filter((check) => check.stopped_at !== null) ?? [],
    backupFailure: backups !== null && isBackupFailing(backups) ? backups.failure : null,
  };
}
