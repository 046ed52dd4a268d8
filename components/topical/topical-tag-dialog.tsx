"use client";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { weekdays, type TopicalTag } from "#lib/queue/topical-schema.ts";

const fieldErrors = {
  form: "Choose a weekday or a date.",
  hashtag: "Enter one hashtag without spaces or signs, such as photography.",
  topical_day_of_week: "Choose a day of the week.",
  topical_month_day: "Enter month and day, such as 10-04.",
} as const;

export function TopicalTagDialog({ tag }: { tag?: TopicalTag }) {
  const [open, setOpen] = useDialogParam(tag ? "" : "add");
  const [hashtag, setHashtag] = useState("");
  const [weekday, setWeekday] = useState<string>(tag?.topical_day_of_week ?? "");
  const [date, setDate] = useState(tag?.topical_month_day ?? "");
  const router = useRouter();
  const form = `topical-${tag?.id ?? "new"}`;
  const save = useMutation<void, TopicalTag>(
    () => {
      const days = { topical_day_of_week: weekday || null, topical_month_day: date.trim() || null };
      return tag
        ? apiFetch<TopicalTag>(`/topical-tags/${tag.id}`, { method: "PATCH", body: days })
        : apiFetch<TopicalTag>("/topical-tags", { method: "POST", body: { hashtag, ...days } });
    },
    {
      onDone: (answer) => {
        change(false);
        router.refresh();
        notifyDone(tag ? `Rule for #${answer.hashtag} changed` : `Rule for #${answer.hashtag} added`);
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    save.reset();
    setHashtag("");
    if (!next) return;
    setWeekday(tag?.topical_day_of_week ?? "");
    setDate(tag?.topical_month_day ?? "");
  }
  const errors = formErrors(fieldErrors, save.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={tag ? `Days of #${tag.hashtag}` : "Add a topical rule"}
      description={tag ? undefined : "A rule gives a hashtag priority on a weekday or date."}
      width="sm"
      trigger={
        tag ? (
          <Button size="sm">Change days</Button>
        ) : (
          <Button variant="primary" icon={<Plus aria-hidden />}>
            Add rule
          </Button>
        )
      }
      footer={
        <DialogButtons form={form} pending={save.pending} onCancel={() => change(false)}>
          Save
        </DialogButtons>
      }
    >
      <form
        id={form}
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        {errors.form ? <Notice tone="reject">{errors.form}</Notice> : null}
        {tag ? null : (
          <Field label="Hashtag" error={errors.at("hashtag")} required>
            <Input
              required
              autoCapitalize="none"
              value={hashtag}
              onChange={(event) => setHashtag(event.target.value)}
            />
          </Field>
        )}
        <Field label="Weekday" error={errors.at("topical_day_of_week")} optional>
          <Select
            value={weekday}
            onChange={(event) => setWeekday(event.target.value)}
            options={[
              { value: "", label: "No weekday" },
              ...weekdays.map((day) => ({ value: day, label: day })),
            ]}
          />
        </Field>
        <Field
          label="Date"
          hint="Month and day, such as 10-04"
          error={errors.at("topical_month_day")}
          optional
        >
          <Input value={date} inputMode="numeric" onChange={(event) => setDate(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
