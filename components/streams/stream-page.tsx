"use client";
import { Download, Files, Pause, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCan } from "#components/shell/member-context.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { usePageOffer } from "#components/shell/page-offers.ts";
import { Button } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formatPercent } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchRun, Stream } from "#lib/collect/stream-schema.ts";
import { FetchButton } from "./fetch-button.tsx";
import { FirstFetch } from "./first-fetch.tsx";
import { RunsPanel } from "./runs-panel.tsx";
import { streamName } from "./stream-name.ts";
import { StreamState } from "./stream-state.tsx";
import { draftOf } from "./stream-fields.tsx";
import { StreamFailure } from "./stream-failure.tsx";
import { StreamSettings } from "./stream-settings.tsx";
import { useLiveStream } from "./use-live-stream.ts";
import { useFetchStream } from "./use-fetch-stream.ts";

export function StreamPage({ stream: rendered, runs: renderedRuns }: { stream: Stream; runs: FetchRun[] }) {
  const path = `/streams/${rendered.id}`;
  const { stream, runs } = useLiveStream(rendered, renderedRuns);
  const mayManage = useCan("admin");
  const router = useRouter();
  const name = streamName(stream);
  const toggle = useMutation<boolean, Stream>(
    (active) => apiFetch(path, { method: "PATCH", body: { active } }),
    {
      refresh: ["/streams*", "/stats*"],
      onDone: (answer) =>
        notifyDone(answer.active ? `${name} resumed` : `${name} paused`, { id: `active-${answer.id}` }),
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  const remove = useMutation<void>(() => apiFetch(path, { method: "DELETE" }), {
    refresh: ["/stats*"],
    onDone: () => {
      notifyDone(`${name} deleted`);
      router.push("/streams");
      router.refresh();
    },
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
  const fetch = useFetchStream();
  usePageOffer(() => ({
    about: {
      name,
      actions: [
        {
          id: "stream posts",
          name: "Show the posts of this stream",
          icon: Files,
          run: () => router.push(`/posts?stream_id=${stream.id}`),
        },
        ...(mayManage
          ? [
              {
                id: "stream toggle",
                name: stream.active ? "Pause this stream" : "Resume this stream",
                icon: stream.active ? Pause : Play,
                run: () => void toggle.run(!stream.active),
              },
            ]
          : []),
        ...(mayManage && stream.active
          ? [
              {
                id: "stream fetch",
                name: "Fetch this stream now",
                icon: Download,
                run: () => void fetch.run(stream),
              },
            ]
          : []),
      ],
    },
  }));
  return (
    <>
      <PageHeader
        title={<bdi>#{stream.hashtag}</bdi>}
        description={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              {stream.instance}
              {stream.platform ? ` · ${stream.platform}` : null}
            </span>
            <StreamState stream={stream} />
          </span>
        }
        back={{ href: "/streams", label: "Streams" }}
        actions={
          mayManage ? (
            <>
              <Button pending={toggle.pending} onClick={() => void toggle.run(!stream.active)}>
                {stream.active ? "Pause" : "Resume"}
              </Button>
              <FetchButton stream={stream} size="md" />
            </>
          ) : undefined
        }
      />
      <div className="space-y-6">
        <StreamFailure stream={stream} />
        <FirstFetch stream={stream} runs={runs} />
        {stream.behind_since === null ? null : (
          <Notice tone="info">
            {stream.active && stream.enable_scheduling
              ? "Backlog: the server has more posts than one fetch reads. The stream is fetched every minute until it has caught up."
              : "Backlog: the server has more posts than one fetch reads."}
          </Notice>
        )}
        <StatRow>
          <Stat
            figure="unreviewed"
            label="To review"
            value={stream.unreviewed_count}
            href={`/review?stream_id=${stream.id}`}
          />
          <Stat
            figure="stored"
            label="Posts"
            value={stream.post_count}
            href={`/posts?stream_id=${stream.id}`}
          />
          <Stat
            figure="stored_approved"
            label="Approved"
            value={stream.approved_count}
            href={`/posts?stream_id=${stream.id}&approved=true`}
          />
          <Stat
            figure="stored_rejected"
            label="Rejected"
            value={stream.rejected_count}
            href={`/posts?stream_id=${stream.id}&approved=false`}
          />
          <Stat
            figure="approval_rate"
            label="Approval rate"
            value={formatPercent(stream.approval_rate)}
            hint="of all time"
            className="max-desk:col-span-2"
          />
        </StatRow>
        <RunsPanel runs={runs} />
        {mayManage ? (
          <>
            <StreamSettings key={JSON.stringify(draftOf(stream))} stream={stream} />
            <AlertDialog
              title={`Delete ${name}`}
              description={
                stream.post_count === 0
                  ? "It has no posts. Its settings and statistics end."
                  : `Its posts are kept without a stream (${stream.post_count}). Its settings and statistics end.`
              }
              confirm="Delete stream"
              pending={remove.pending}
              onConfirm={() => void remove.run()}
              trigger={<Button variant="danger">Delete stream</Button>}
            />
          </>
        ) : null}
      </div>
    </>
  );
}
