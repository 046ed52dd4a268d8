import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { formatShortDate } from "#components/format.ts";
import { SectionHead } from "#components/shell/section-head.tsx";
import { reaches } from "#components/shell/roles.ts";
import { ActionButton, ActionField } from "#components/ui/action-form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { weekdays } from "#lib/queue/topical-schema.ts";
import { listTopicalTags } from "#lib/queue/topical-tags.ts";
import { addTopicalTag, removeTopicalTag } from "../actions.ts";

export const metadata: Metadata = { title: "Topical" };

const errors = {
  form: "Choose a weekday or a date.",
  hashtag: "Enter one hashtag without spaces or signs, such as photography.",
  topical_day_of_week: "Choose a day of the week.",
  topical_month_day: "Enter month and day, such as 10-04.",
} as const;

export default async function TopicalPage() {
  const { role } = await requireMember();
  const isAdmin = reaches(role, "admin");
  const rules = await listTopicalTags();
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
      <ListPanel
        title="Rules"
        description={`A rule matches posts with the hashtag, and posts of its stream. Days are those of ${env().TIME_ZONE}.`}
        rows={rules.map(({ id, hashtag, topical_day_of_week: weekday, topical_month_day: date }) => ({
          key: id,
          title: <bdi>#{hashtag}</bdi>,
          // A leap year, so that 29 February is valid.
          facts: [weekday && `Every ${weekday}`, date && formatShortDate(`2024-${date}`)],
          actions: isAdmin && (
            <ActionButton
              size="sm"
              aria-label={`Remove #${hashtag}`}
              action={removeTopicalTag}
              fields={{ id, hashtag }}
            >
              Remove
            </ActionButton>
          ),
        }))}
        empty="No topical rules yet"
      />
    </>
  );
}
