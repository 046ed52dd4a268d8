"use client";
import { useCan } from "#components/shell/member-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { formatCount, formatPercent } from "#components/format.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { AddStreamDialog } from "./add-stream-dialog.tsx";
import { FetchButton } from "./fetch-button.tsx";
import type { StreamsPageProps } from "./stream-actions.tsx";
import { streamName } from "./stream-name.ts";
import { StreamState } from "./stream-state.tsx";

const columns: Column<Stream>[] = [
  {
    key: "stream",
    header: "Hashtag",
    primary: true,
    cell: (stream) => (
      <Link
        href={`/streams/${stream.id}`}
        tone="plain"
        title={streamName(stream)}
        className="block min-w-0 max-desk:wrap-anywhere"
      >
        <span dir="auto" className="block desk:truncate">
          #{stream.hashtag}
        </span>{" "}
        <span className="block text-12 font-normal text-muted desk:truncate">{stream.instance}</span>
      </Link>
    ),
  },
  {
    key: "state",
    header: "State",
    width: "8rem",
    cell: (stream) => <StreamState stream={stream} />,
  },
  {
    key: "unreviewed",
    header: "To review",
    figure: "unreviewed",
    numeric: true,
    width: "6.5rem",
    cell: (stream) => (
      <Link href={`/review?stream_id=${stream.id}`} tone="plain" className="-mx-2 px-2">
        {formatCount(stream.unreviewed_count)}
      </Link>
    ),
  },
  {
    key: "posts",
    header: "Posts",
    figure: "stored",
    numeric: true,
    width: "5rem",
    cell: (stream) => formatCount(stream.post_count),
  },
  {
    key: "rate",
    header: "Approval rate",
    figure: "approval_rate",
    numeric: true,
    width: "8rem",
    deskOnly: true,
    cell: (stream) => formatPercent(stream.approval_rate),
  },
  {
    key: "last",
    header: "Last fetch",
    width: "6.5rem",
    cell: (stream) => <RelativeTime at={stream.last_fetch} fallback="Never" />,
  },
  {
    key: "next",
    header: "Next fetch",
    width: "6.5rem",
    cell: (stream) =>
      !stream.active ? (
        "–"
      ) : stream.enable_scheduling ? (
        <RelativeTime isAhead at={stream.next_scheduled_fetch} />
      ) : (
        "On demand"
      ),
  },
];
const actions: Column<Stream> = {
  key: "actions",
  header: "Actions",
  hideHeader: true,
  width: "8rem",
  cell: (stream) => <FetchButton stream={stream} />,
};

/** Refreshed every 15 s. */
export function StreamTable({ streams, defaults, adding }: StreamsPageProps) {
  const mayManage = useCan("admin");
  const list = useApi<{ items: Stream[] }>("/streams?limit=1000", {
    fallback: streams,
    refreshEvery: 15_000,
  });
  if (list.failure && !list.data) {
    return (
      <ErrorState
        title="The streams could not be loaded"
        failure={list.failure}
        onRetry={() => void list.reload()}
        retrying={list.refreshing}
      />
    );
  }
  return (
    <Card className="overflow-clip">
      <DataTable
        caption="Streams"
        columns={mayManage ? [...columns, actions] : columns}
        rows={(list.data ?? streams).items}
        rowKey={(stream) => stream.id}
        density="comfortable"
        empty={
          <EmptyState
            title="No streams yet"
            action={
              mayManage ? (
                <AddStreamDialog
                  key={String(adding)}
                  defaults={defaults}
                  variant="primary"
                  defaultOpen={adding}
                />
              ) : undefined
            }
          >
            {mayManage ? "Add a hashtag and the server to read it from." : "Ask an admin to add one."}
          </EmptyState>
        }
      />
    </Card>
  );
}
