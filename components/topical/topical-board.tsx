"use client";
import { useRouter } from "next/navigation";
import { QueueHead } from "#components/queue/queue-head.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formatShortDate } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { TopicalTag } from "#lib/queue/topical-schema.ts";
import { TopicalCalendar, type CalendarDay } from "./topical-calendar.tsx";
import { TopicalTagDialog } from "./topical-tag-dialog.tsx";

const path = "/topical-tags";

export function TopicalBoard({
  tags,
  days,
  timeZone,
}: {
  tags: TopicalTag[];
  days: CalendarDay[];
  timeZone: string;
}) {
  const mayManage = useCan("admin");
  const router = useRouter();
  const remove = useMutation<TopicalTag>(({ id }) => apiFetch(`${path}/${id}`, { method: "DELETE" }), {
    onDone: (_answer, { hashtag }) => {
      router.refresh();
      notifyDone(`Rule for #${hashtag} removed`);
    },
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
  const columns: Column<TopicalTag>[] = [
    { key: "hashtag", header: "Hashtag", primary: true, cell: (tag) => <bdi>#{tag.hashtag}</bdi> },
    {
      key: "weekday",
      header: "Weekday",
      cell: (tag) => (tag.topical_day_of_week ? `Every ${tag.topical_day_of_week}` : "–"),
    },
    {
      key: "date",
      header: "Date",
      cell: (tag) =>
        // A leap year, so that 29 February is valid.
        tag.topical_month_day === null ? "–" : formatShortDate(`2024-${tag.topical_month_day}`),
    },
  ];
  if (mayManage) {
    columns.push({
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "14rem",
      cell: (tag) => (
        <span className="flex gap-2 desk:justify-end">
          <TopicalTagDialog tag={tag} />
          <Button size="sm" aria-label={`Remove #${tag.hashtag}`} onClick={() => void remove.run(tag)}>
            Remove
          </Button>
        </span>
      ),
    });
  }
  return (
    <>
      <QueueHead current="/queue/topical" actions={mayManage ? <TopicalTagDialog /> : undefined} />
      <div className="space-y-6">
        <TopicalCalendar days={days} timeZone={timeZone} />
        <Panel
          title="Rules"
          description="A rule matches posts with the hashtag, and posts of its stream."
          flush
        >
          <DataTable
            caption="Rules"
            columns={columns}
            rows={tags}
            rowKey={(tag) => tag.id}
            density="comfortable"
            empty={
              <EmptyState title="No topical rules yet">
                A rule gives a hashtag priority on a weekday or date.
              </EmptyState>
            }
          />
        </Panel>
      </div>
    </>
  );
}
