import type { Metadata } from "next";
import { cache } from "react";
import { formatCount, formatPercent } from "#components/format.ts";
import { PageHeader } from "#components/shell/page-header.tsx";
import { reaches } from "#components/shell/roles.ts";
import { FetchButton } from "#components/streams/fetch.tsx";
import { RunsPanel } from "#components/streams/runs-panel.tsx";
import { OptionFields, SourceFields, streamErrors } from "#components/streams/stream-fields.tsx";
import { streamName, toReview } from "#components/streams/stream-name.ts";
import { StreamState } from "#components/streams/stream-state.tsx";
import { ActionButton, ActionForm, FormNotice, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { Notice } from "#components/ui/states.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getStream, listFetchRuns } from "#lib/collect/streams.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { orNotFound, parseId } from "../../or-not-found.ts";
import { changeStream, removeStream, switchStream } from "../actions.ts";

interface Props {
  params: Promise<{ id: string }>;
}

/** Refresh interval during a fetch, and otherwise. */
const BUSY_MS = 1_000;
const CALM_MS = 15_000;

const streamOf = cache(async (raw: string) => orNotFound(getStream(parseId(raw))));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requireMember();
  return { title: streamName(await streamOf((await params).id)) };
}

export default async function StreamPage({ params }: Props) {
  const { role } = await requireMember();
  const stream = await streamOf((await params).id);
  const runs = await listFetchRuns(stream.id, 20);
  const { id, hashtag, instance, active } = stream;
  const name = streamName(stream);
  const isAdmin = reaches(role, "admin");
  const isRunning = runs[0]?.finished_at === null && runs[0].error === null;
  const isDue = stream.state === "checking" && stream.next_scheduled_fetch !== null;
  return (
    <>
      <RefreshPage every={isRunning || isDue ? BUSY_MS : CALM_MS} />
      <PageHeader
        title={<bdi>#{hashtag}</bdi>}
        description={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              {instance}
              {stream.platform ? ` · ${stream.platform}` : null}
            </span>
            <StreamState stream={stream} />
          </span>
        }
        back={{ href: "/streams", label: "Streams" }}
        actions={
          isAdmin ? (
            <>
              <ActionButton action={switchStream} fields={{ id, name, on: !active }}>
                {active ? "Pause" : "Resume"}
              </ActionButton>
              <FetchButton stream={{ id, hashtag, instance, active }} size="md" />
            </>
          ) : undefined
        }
      />
      <div className="space-y-6">
        <Failure stream={stream} mayManage={isAdmin} />
        {stream.behind_since === null ? null : (
          <Notice tone="info">
            {active && stream.enable_scheduling
              ? "The server has more posts than one fetch reads. The stream is fetched every minute until it has caught up."
              : "The server has more posts than one fetch reads."}
          </Notice>
        )}
        <StatRow>
          <Stat
            figure="unreviewed"
            label="To review"
            value={stream.unreviewed_count}
            href={toReview(id, reaches(role, "reviewer"))}
          />
          <Stat figure="stored" label="Posts" value={stream.post_count} href={`/posts?stream_id=${id}`} />
          <Stat
            figure="stored_approved"
            label="Approved"
            value={stream.approved_count}
            href={`/posts?stream_id=${id}&approved=true`}
          />
          <Stat
            figure="stored_rejected"
            label="Rejected"
            value={stream.rejected_count}
            href={`/posts?stream_id=${id}&approved=false`}
          />
          <Stat
            figure="approval_rate"
            label="Approval rate"
            value={formatPercent(stream.approval_rate)}
            hint="of all time"
            className="max-desk:col-span-2"
          />
        </StatRow>
        <RunsPanel runs={runs} isDue={isDue} />
        {isAdmin ? (
          <>
            <Settings stream={stream} />
            <ActionButton
              variant="danger"
              action={removeStream}
              fields={{ id, name }}
              ask={
                stream.post_count === 0
                  ? "It has no posts. Its settings and statistics end."
                  : `Its posts are kept without a stream (${formatCount(stream.post_count)}). Its settings and statistics end.`
              }
            >
              Delete stream
            </ActionButton>
          </>
        ) : null}
      </div>
    </>
  );
}

/** The error of the last fetch; a missing token with the way to set it. */
function Failure({ stream, mayManage }: { stream: Stream; mayManage: boolean }) {
  const { instance, last_error: error, last_error_kind: kind } = stream;
  if (error === null) return null;
  const isMissing = kind === "needs_token";
  if (!isMissing && kind !== "token_refused")
    return (
      <Notice tone="warn">
        <span className="font-medium">Last fetch failed:</span> {error}{" "}
        <RelativeTime at={stream.last_check} />
      </Notice>
    );
  return (
    <Notice tone="warn">
      <span className="font-medium wrap-anywhere">
        {isMissing ? `${instance} answers only with a token.` : `${instance} refuses the stored token.`}
      </span>{" "}
      {mayManage ? (
        <Link href={`/settings/installation#server-${instance}`}>
          {isMissing ? "Set a token" : "Replace the token"}
        </Link>
      ) : (
        "An admin can set one in the settings."
      )}
    </Notice>
  );
}

function Settings({ stream }: { stream: Stream }) {
  return (
    <Panel
      title="Settings"
      description={
        stream.source_fixed
          ? "They apply from the next fetch."
          : "They apply from the next fetch. Hashtag and server can be corrected until the first post is stored."
      }
    >
      <ActionForm action={changeStream} errors={streamErrors} className="max-w-2xl space-y-4">
        <FormNotice />
        <input type="hidden" name="id" value={stream.id} />
        {stream.source_fixed ? null : <SourceFields settings={stream} />}
        <OptionFields settings={stream} />
        <SubmitButton variant="primary">Save</SubmitButton>
      </ActionForm>
    </Panel>
  );
}
