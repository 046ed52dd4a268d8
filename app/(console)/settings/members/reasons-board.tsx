"use client";
import { Archive, ArrowDown, ArrowUp, Pencil, Plus } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import {
  ActionButton,
  ActionField,
  ActionForm,
  SubmitButton,
  useAction,
} from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { reasonAbouts } from "#components/words.ts";
import { MAX_REASONS, type RejectReason } from "#lib/review/reject-reason-schema.ts";
import { addReason, changeReason } from "../actions.ts";

const errors = { form: "Change something first.", label: "Enter a name of at most 80 characters." };
const aboutOptions = Object.entries(reasonAbouts).map(([value, label]) => ({
  value,
  label: `Shown by ${label}`,
}));
const labelInput = { name: "label", maxLength: 80, autoComplete: "off" } as const;

export function ReasonsBoard({ reasons }: { reasons: RejectReason[] }) {
  const [renamed, setRenamed] = useState<RejectReason | null>(null);
  const form = useId();
  const inUse = reasons.filter(({ place }) => place !== null);
  const archived = reasons.filter(({ place }) => place === null);
  const isFull = inUse.length >= MAX_REASONS;
  const change = (fields: Record<string, unknown>, name: string, icon: ReactNode, disabled = false) => (
    <ActionButton
      action={changeReason}
      fields={fields}
      label={name}
      icon={icon}
      repeats={"move" in fields}
      disabled={disabled}
    />
  );
  return (
    <>
      <ListPanel
        title="Rejection reasons"
        description="For the whole team. The number is the key at the desk. A reason is stored with the rejection, counted, and a filter of posts. The learner ignores rejections for reasons that no text shows."
        rows={inUse.map((reason) => {
          const { id, place, label: name } = reason;
          return {
            key: id,
            title: [<Kbd key="key">{place}</Kbd>, " ", <bdi key="name">{name}</bdi>],
            facts: [],
            actions: (
              <>
                <About reason={reason} />
                {change({ id, move: -1 }, `Move “${name}” up`, <ArrowUp />, place === 1)}
                {change({ id, move: 1 }, `Move “${name}” down`, <ArrowDown />, place === inUse.length)}
                <IconButton label={`Rename “${name}”`} icon={<Pencil />} onClick={() => setRenamed(reason)} />
                {change({ id, archived: true }, `Archive “${name}”`, <Archive />)}
              </>
            ),
          };
        })}
        empty="No reasons. Posts are rejected without one."
      >
        {isFull ? (
          <p className="text-13 text-muted">
            Nine reasons are in use, one for each key. Archive one to add another.
          </p>
        ) : (
          <ActionForm
            action={addReason}
            errors={errors}
            clears
            className="grid items-start gap-3 desk:grid-cols-[1fr_16rem_auto]"
          >
            <ActionField name="label" whole label="Reason" hideLabel required>
              <Input {...labelInput} placeholder="Reason" />
            </ActionField>
            <Field label="Shown by" hideLabel>
              <Select name="about" defaultValue="both" options={aboutOptions} />
            </Field>
            <SubmitButton icon={<Plus aria-hidden />}>Add reason</SubmitButton>
          </ActionForm>
        )}
      </ListPanel>
      {archived.length === 0 ? null : (
        <ListPanel
          title="Archived reasons"
          description="Rejections keep them. Restore one to use it again."
          rows={archived.map(({ id, label: name }) => ({
            key: id,
            title: <bdi>{name}</bdi>,
            facts: [],
            actions: (
              <ActionButton
                action={changeReason}
                fields={{ id, archived: false }}
                size="sm"
                disabled={isFull}
                aria-label={`Restore “${name}”`}
              >
                Restore
              </ActionButton>
            ),
          }))}
          empty=""
        />
      )}
      {renamed === null ? null : (
        <Dialog
          open
          onOpenChange={() => setRenamed(null)}
          title="Rename reason"
          description="Earlier rejections show the new name."
          width="sm"
          footer={
            <Button type="submit" form={form} variant="primary">
              Save
            </Button>
          }
        >
          <ActionForm id={form} action={changeReason} errors={errors} onDone={() => setRenamed(null)}>
            <input type="hidden" name="id" value={renamed.id} />
            <ActionField name="label" whole label="Reason" required>
              <Input {...labelInput} defaultValue={renamed.label} />
            </ActionField>
          </ActionForm>
        </Dialog>
      )}
    </>
  );
}

function About({ reason: { id, label: name, about } }: { reason: RejectReason }) {
  const { send } = useAction(changeReason);
  return (
    <Select
      size="sm"
      className="max-desk:w-full"
      aria-label={`What shows “${name}”`}
      value={about}
      options={aboutOptions}
      onChange={(event) => send({ id, about: event.target.value })}
    />
  );
}
