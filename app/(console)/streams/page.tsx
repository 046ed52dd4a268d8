import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { formatCount, formatPercent } from "#components/format.ts";
import { SectionHead } from "#components/shell/section-head.tsx";
import { reaches, type Role } from "#components/shell/roles.ts";
import { FetchAllButton, FetchButton } from "#components/streams/fetch.tsx";
import { OptionFields, SourceFields, streamErrors } from "#components/streams/stream-fields.tsx";
import { streamName, toReview } from "#components/streams/stream-name.ts";
import { StreamState } from "#components/streams/stream-state.tsx";
import { Card } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { AsyncBoundary } from "#components/ui/async-boundary.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { streamDefaults, type Stream } from "#lib/collect/stream-schema.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { addStream } from "./actions.ts";

export const metadata: Metadata = { title: "Streams" };

export default async function StreamsPage() {
  const { role } = await requireMember();
  const isAdmin = reaches(role, "admin");
  return (
    <>
      <RefreshPage every={15_000} />
      <SectionHead
        section="Streams and blocking"
        current="/streams"
        actions={
          isAdmin ? (
            <>
              <FetchAllButton />
              <AddStream />
            </>
          ) : undefined
        }
      />
      <AsyncBoundary failed="The streams could not be loaded">
        <StreamTable role={role} />
      </AsyncBoundary>
    </>
  );
}

function AddStream() {
  const defaults = { ...streamDefaults, hashtag: "", instance: env().DEFAULT_INSTANCE };
  return (
    <FormDialog
      width="lg"
      title="Add a stream"
      description="Each server knows only some posts with a hashtag. The same hashtag on two servers is two streams."
      trigger={{ variant: "primary", icon: <Plus aria-hidden />, children: "Add stream" }}
      param="add"
      action={addStream}
      errors={streamErrors}
      submit="Add stream"
    >
      <SourceFields settings={defaults} />
      <details>
        <summary className="mb-3 min-h-6 w-fit text-13 font-medium">Options</summary>
        <OptionFields settings={defaults} />
      </details>
    </FormDialog>
  );
}

async function StreamTable({ role }: { role: Role }) {
  const { items } = await listStreams({ skip: 0, limit: 1000 });
  return (
    <Card className="overflow-clip">
      <DataTable
        caption="Streams"
        columns={[...columnsFor(reaches(role, "reviewer")), ...(reaches(role, "admin") ? [actions] : [])]}
        rows={items}
        rowKey={(stream) => stream.id}
        density="comfortable"
        empty={
          <EmptyState title="No streams yet">
            {reaches(role, "admin")
              ? "Add a hashtag and the server to read it from."
              : "Ask an admin to add one."}
          </EmptyState>
        }
      />
    </Card>
  );
}

const columnsFor = (mayReview: boolean): Column<Stream>[] => [
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
  { key: "state", header: "State", width: "8rem", cell: (stream) => <StreamState stream={stream} /> },
  {
    key: "unreviewed",
    header: "To review",
    figure: "unreviewed",
    numeric: true,
    width: "6.5rem",
    cell: (stream) => (
      <Link href={toReview(stream.id, mayReview)} tone="plain" className="-mx-2 px-2">
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
  cell: ({ id, hashtag, instance, active }) => <FetchButton stream={{ id, hashtag, instance, active }} />,
};
