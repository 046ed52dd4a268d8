import type { Metadata } from "next";
import { AttentionPanel } from "#components/home/attention-panel.tsx";
import { findAttention, nextStep } from "#components/home/attention.tsx";
import { FirstSteps } from "#components/home/first-steps.tsx";
import { Flow } from "#components/home/flow.tsx";
import { flowStages } from "#components/home/flow-stages.ts";
import { LeaseNote } from "#components/home/lease-note.tsx";
import { RefreshPage } from "#components/home/refresh-page.tsx";
import { firstSteps } from "#components/home/steps-done.ts";
import { TeamPace } from "#components/home/team-pace.tsx";
import { UpcomingPosts } from "#components/home/upcoming-posts.tsx";
import { Verdict } from "#components/home/verdict.tsx";
import { PausedNotice } from "#components/queue/paused-notice.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { readPreferences } from "#lib/desk/preferences.ts";
import { readHomeFacts } from "./home-facts.ts";

export const metadata: Metadata = { title: words.home.title };

export default async function HomePage() {
  const member = await requireMember();
  const { id, role } = member;
  const facts = await readHomeFacts(member);
  const { stats, supply, pace, nextFetch } = facts;
  const entries = findAttention(facts);
  const steps = firstSteps(stats, facts.hasKey, role);
  const stages = flowStages({
    role,
    now: facts.now,
    day: facts.day,
    streams: stats.total_streams,
    active: facts.streams,
    isOverdue: facts.overdueSince !== null,
    unreviewed: facts.unreviewed,
    supply,
    today: pace.today,
    recentDeliveries: pace.recent_deliveries,
    failures: stats.queue_status.error,
    hasKey: facts.hasKey,
  });
  return (
    <>
      <RefreshPage />
      <PageHeader title={words.home.title} className="mb-3 desk:mb-3" />
      <div className="space-y-4">
        {facts.isPaused ? <PausedNotice /> : null}
        {steps === null ? null : <FirstSteps steps={steps} nextFetch={nextFetch} />}
        <Card className="overflow-hidden">
          {steps === null ? (
            <div className="border-b border-line">
              <Verdict entries={entries} next={nextStep(entries, role)} />
            </div>
          ) : null}
          <Flow stages={stages} notes={{ review: <LeaseNote left={facts.left} /> }} />
        </Card>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="space-y-4">
            {steps !== null && entries.length === 0 ? null : (
              <AttentionPanel role={role} entries={entries} nextFetch={nextFetch} />
            )}
            <TeamPace pace={pace} memberId={id} />
          </div>
          <div className="space-y-4">
            <UpcomingPosts posts={facts.upcoming} cover={readPreferences(member.preferences).cover} />
          </div>
        </div>
      </div>
    </>
  );
}
