import { AttentionPanel } from "#components/home/attention.tsx";
import { FirstSteps } from "#components/home/first-steps.tsx";
import { Flow } from "#components/home/flow.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { AsyncBoundary } from "#components/ui/async-boundary.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getSettings } from "#lib/blocking/switches.ts";
import { readAttention, readFlow, readKeys } from "./home-facts.ts";
import { PausedNotice } from "./queue/paused-notice.tsx";
import { readStats, titleWithCount } from "./to-review.ts";

export const generateMetadata = () => titleWithCount("Home");

export default async function HomePage() {
  await requireMember();
  return (
    <>
      <RefreshPage every={30_000} />
      <PageHeader title="Home" className="mb-3 desk:mb-3" />
      <AsyncBoundary failed="Home could not be loaded">
        <Home />
      </AsyncBoundary>
    </>
  );
}

/** Until the first post, an admin sees only the first steps. */
async function Home() {
  const [{ id, role }, stats, { deliveries_paused: isPaused }] = await Promise.all([
    requireMember(),
    readStats(),
    getSettings(),
  ]);
  if (role === "admin" && stats.all_time.fetched === 0) {
    const { api_key_set: hasKey } = await readKeys(id, role);
    return <FirstSteps hasStream={stats.total_streams > 0} hasKey={hasKey} />;
  }
  return (
    <div className="space-y-4">
      {isPaused ? <PausedNotice /> : null}
      <AsyncBoundary failed="The list of tasks could not be loaded">
        <NeedsAttention />
      </AsyncBoundary>
      <AsyncBoundary failed="The figures could not be loaded" rows={3}>
        <FlowPanel />
      </AsyncBoundary>
    </div>
  );
}

async function NeedsAttention() {
  return <AttentionPanel {...await readAttention(await requireMember())} />;
}

async function FlowPanel() {
  return <Flow {...await readFlow()} />;
}
