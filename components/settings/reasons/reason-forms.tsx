"use client";
import { reasonAbouts } from "#components/words.ts";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

const fieldErrors = {
  form: "Change something first.",
  label: "Enter a name of at most 80 characters.",
} as const;

export const REASONS_PATH = "/reject-reasons";
export const aboutOptions = Object.entries(reasonAbouts).map(([value, label]) => ({ value, label }));
const MAX_LABEL = 80;

export function AddReason() {
  const [label, setLabel] = useState("");
  const [about, setAbout] = useState("both");
  const field = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const add = useMutation<void, RejectReason>(
    () => apiFetch(REASONS_PATH, { method: "POST", body: { label, about } }),
    {
      refresh: [REASONS_PATH],
      onDone: (added) => {
        notifyDone(`“${added.label}” added`);
        setLabel("");
        field.current?.focus();
        router.refresh();
      },
    },
  );
  const errors = formErrors(fieldErrors, add.failure);
  return (
    <form
      className="grid items-start gap-3 border-b border-line px-4 py-3 desk:grid-cols-[1fr_12rem_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void add.run();
      }}
    >
      <Field label="Reason" hideLabel error={errors.at("label") ?? errors.form} required>
        <Input
          ref={field}
          value={label}
          placeholder="Reason"
          maxLength={MAX_LABEL}
          autoComplete="off"
          required
          onChange={(event) => {
            setLabel(event.target.value);
            add.reset();
          }}
        />
      </Field>
      <Field label="Shown by" hideLabel>
        <Select value={about} options={aboutOptions} onChange={(event) => setAbout(event.target.value)} />
      </Field>
      <Button type="submit" icon={<Plus aria-hidden />} pending={add.pending}>
        Add reason
      </Button>
    </form>
  );
}

export function RenameReason({ reason, onClose }: { reason: RejectReason; onClose: () => void }) {
  const [label, setLabel] = useState(reason.label);
  const form = useId();
  const router = useRouter();
  const save = useMutation<void, RejectReason>(
    () => apiFetch(`${REASONS_PATH}/${reason.id}`, { method: "PATCH", body: { label } }),
    {
      refresh: [REASONS_PATH],
      onDone: (changed) => {
        notifyDone(`“${changed.label}” changed`);
        router.refresh();
        onClose();
      },
    },
  );
  const errors = formErrors(fieldErrors, save.failure);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Rename reason"
      description="Earlier rejections show the new name."
      width="sm"
      footer={
        <Button type="submit" form={form} variant="primary" pending={save.pending}>
          Save
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <Field label="Reason" error={errors.at("label") ?? errors.form} required>
          <Input
            value={label}
            maxLength={MAX_LABEL}
            autoComplete="off"
            required
            onChange={(event) => {
              setLabel(event.target.value);
              save.reset();
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
