"use client";
import { useRouter } from "next/navigation";
import { QueueHead } from "#components/queue/queue-head.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
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
  return (
    <>
      <QueueHead current="/queue/topical" actions={mayManage ? <TopicalTagDialog /> : undefined} />
      <div className="space-y-6">
        <TopicalCalendar days={days} timeZone={timeZone} />
        <ListPanel
          title="Rules"
          description="A rule matches posts with the hashtag, and posts of its stream."
          rows={tags.map((tag) => ({
            key: tag.id,
            title: <bdi>#{tag.hashtag}</bdi>,
            facts: [
              tag.topical_day_of_week !== null && `Every ${tag.topical_day_of_week}`,
              // A leap year, so that 29 February is valid.
              tag.topical_month_day !== null && formatShortDate(`2024-${tag.topical_month_day}`),
            ],
            actions: mayManage ? (
              <>
                <TopicalTagDialog tag={tag} />
                <Button size="sm" aria-label={`Remove #${tag.hashtag}`} onClick={() => void remove.run(tag)}>
                  Remove
                </Button>
              </>
            ) : null,
          }))}
          empty="No topical rules yet. A rule gives a hashtag priority on a weekday or date."
        />
      </div>
    </>
  );
}
