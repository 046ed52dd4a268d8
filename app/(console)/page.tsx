import type { Metadata } from "next";
import { AttentionPanel } from "#components/home/attention-panel.tsx";
import { findAttention } from "#components/home/attention.tsx";
import { BotNotes } from "#components/home/bot-notes.tsx";
import { DayLine } from "#components/home/day-line.tsx";
import { FirstSteps } from "#components/home/first-steps.tsx";
import { flowStages } from "#components/home/flow-stages.ts";
import { Flow } from "#components/home/flow.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { firstSteps } from "#components/home/steps-done.ts";
import { PausedNotice } from "#components/queue/paused-notice.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card } from "#components/ui/card.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { readHomeFacts } from "./home-facts.ts";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage() {
  const member = await requireMember();
  const { role } = member;
  const facts = await readHomeFacts(member);
  const { stats, supply, today, nextFetch, unreviewed } = facts;
  const steps = firstSteps(stats, facts.hasKey, role);
  const stages = flowStages({
    role,
    now: facts.now,
    streams: stats.total_streams,
    active: facts.streams,
    isOverdue: facts.overdueSince !== null,
    unreviewed,
    supply,
    today,
    failures: stats.queue_status.error,
    hasKey: facts.hasKey,
  });
  return (
    <>
      <RefreshPage every={30_000} />
      <PageHeader title="Home" className="mb-3 desk:mb-3" />
      {steps === null ? (
        <div className="space-y-4">
          {facts.isPaused ? <PausedNotice lost={facts.lost} /> : null}
          <AttentionPanel role={role} entries={findAttention(facts)} nextFetch={nextFetch} />
          <Card className="overflow-hidden">
            <Flow stages={stages} notes={{ delivery: <BotNotes keys={facts.keys} /> }} />
            <DayLine today={today} waiting={unreviewed} />
          </Card>
        </div>
      ) : (
        <FirstSteps steps={steps} nextFetch={nextFetch} />
      )}
    </>
  );
}
