"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { weekdays, type TopicalTag } from "#lib/queue/topical-schema.ts";

const w = words.topical;

export function TopicalTagDialog({ tag }: { tag?: TopicalTag }) {
  const [open, setOpen] = useDialogParam(tag ? "" : "add");
  const [hashtag, setHashtag] = useState("");
  const [weekday, setWeekday] = useState<string>(tag?.topical_day_of_week ?? "");
  const [date, setDate] = useState(tag?.topical_month_day ?? "");
  const form = `topical-${tag?.id ?? "new"}`;
  const save = useMutation<void, TopicalTag>(
    () => {
      const days = { topical_day_of_week: weekday || null, topical_month_day: date.trim() || null };
      return tag
        ? apiFetch<TopicalTag>(`/topical-tags/${tag.id}`, { method: "PATCH", body: days })
        : apiFetch<TopicalTag>("/topical-tags", { method: "POST", body: { hashtag, ...days } });
    },
    {
      refresh: ["/topical-tags"],
      onDone: (answer) => {
        change(false);
        notifyDone((tag ? w.changed : w.added)(answer.hashtag));
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
  const errors = formErrors("topicalTag", save.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={tag ? w.editTitle(tag.hashtag) : w.addTitle}
      description={tag ? undefined : w.emptyHint}
      width="sm"
      trigger={
        tag ? (
          <Button size="sm">{w.edit}</Button>
        ) : (
          <Button variant="primary" icon={<Plus aria-hidden />}>
            {w.add}
          </Button>
        )
      }
      footer={
        <DialogButtons form={form} pending={save.pending} onCancel={() => change(false)}>
          {words.common.save}
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
          <Field label={w.hashtag} error={errors.at("hashtag")} required>
            <Input
              required
              autoCapitalize="none"
              value={hashtag}
              onChange={(event) => setHashtag(event.target.value)}
            />
          </Field>
        )}
        <Field label={w.weekday} error={errors.at("topical_day_of_week")} optional>
          <Select
            value={weekday}
            onChange={(event) => setWeekday(event.target.value)}
            options={[
              { value: "", label: w.noWeekday },
              ...weekdays.map((day) => ({ value: day, label: day })),
            ]}
          />
        </Field>
        <Field label={w.dayOfYear} hint={w.dayOfYearHint} error={errors.at("topical_month_day")} optional>
          <Input value={date} inputMode="numeric" onChange={(event) => setDate(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
