import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { formatShortDate } from "#components/format.ts";
import { SectionHead } from "#components/shell/section-head.tsx";
import { reaches } from "#components/shell/roles.ts";
import { ActionButton, ActionField } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { weekdays, type TopicalTag } from "#lib/queue/topical-schema.ts";
import { listTopicalTags } from "#lib/queue/topical-tags.ts";
import { addTopicalTag, removeTopicalTag } from "../actions.ts";

export const metadata: Metadata = { title: "Topical" };

const errors = {
  form: "Choose a weekday or a date.",
  hashtag: "Enter one hashtag without spaces or signs, such as photography.",
  topical_day_of_week: "Choose a day of the week.",
  topical_month_day: "Enter month and day, such as 10-04.",
} as const;

const columns: Column<TopicalTag>[] = [
  { key: "hashtag", header: "Hashtag", primary: true, cell: (tag) => <bdi>#{tag.hashtag}</bdi> },
  {
    key: "days",
    header: "Days",
    cell: ({ topical_day_of_week: weekday, topical_month_day: date }) =>
      [
        ...(weekday === null ? [] : [`Every ${weekday}`]),
        // A leap year, so that 29 February is valid.
        ...(date === null ? [] : [formatShortDate(`2024-${date}`)]),
      ].join(", "),
  },
];
const actions: Column<TopicalTag> = {
  key: "act",
  header: "Actions",
  hideHeader: true,
  width: "8rem",
  cell: (tag) => (
    <ActionButton
      size="sm"
      aria-label={`Remove #${tag.hashtag}`}
      action={removeTopicalTag}
      fields={{ id: tag.id, hashtag: tag.hashtag }}
    >
      Remove
    </ActionButton>
  ),
};

export default async function TopicalPage() {
  const { role } = await requireMember();
  const isAdmin = reaches(role, "admin");
  return (
    <>
      <SectionHead
        section="Queue"
        current="/queue/topical"
        actions={
          isAdmin ? (
            <FormDialog
              title="Add a topical rule"
              description="A rule gives a hashtag priority on a weekday or date."
              width="sm"
              trigger={{ variant: "primary", icon: <Plus aria-hidden />, children: "Add rule" }}
              param="add"
              action={addTopicalTag}
              errors={errors}
              submit="Save"
            >
              <ActionField name="hashtag" label="Hashtag" required>
                <Input name="hashtag" required autoCapitalize="none" />
              </ActionField>
              <ActionField name="topical_day_of_week" label="Weekday" optional>
                <Select
                  name="topical_day_of_week"
                  defaultValue=""
                  placeholder="No weekday"
                  options={weekdays.map((day) => ({ value: day, label: day }))}
                />
              </ActionField>
              <ActionField name="topical_month_day" label="Date" hint="Month and day, such as 10-04" optional>
                <Input name="topical_month_day" inputMode="numeric" />
              </ActionField>
            </FormDialog>
          ) : undefined
        }
      />
      <Panel
        title="Rules"
        description={`A rule matches posts with the hashtag, and posts of its stream. Days are those of ${env().TIME_ZONE}.`}
        flush
      >
        <DataTable
          caption="Rules"
          columns={isAdmin ? [...columns, actions] : columns}
          rows={await listTopicalTags()}
          rowKey={(tag) => tag.id}
          density="comfortable"
          empty={
            <EmptyState title="No topical rules yet">
              A rule gives a hashtag priority on a weekday or date.
            </EmptyState>
          }
        />
      </Panel>
    </>
  );
}
