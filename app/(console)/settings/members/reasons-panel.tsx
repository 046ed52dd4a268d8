import { ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Input, Select, type SelectOption } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { reasonAbouts } from "#components/words.ts";
import { MAX_REASONS, type RejectReason } from "#lib/review/reject-reason-schema.ts";
import { saveReason } from "../actions.ts";

const errors = { label: "Enter a name of at most 80 characters." };
const keys = Array.from({ length: MAX_REASONS + 1 }, (_, key) =>
  key === 0 ? { value: "", label: "Archived" } : { value: String(key), label: `Key ${key}` },
);
const abouts = Object.entries(reasonAbouts).map(([value, label]) => ({ value, label: `Shown by ${label}` }));

/** Rejection reasons. A reason without a key is archived; old rejections keep it. */
export function ReasonsPanel({ reasons }: { reasons: RejectReason[] }) {
  return (
    <ListPanel
      title="Rejection reasons"
      description="For the whole team. The number is the key at the desk. The learner ignores rejections for reasons that no text shows."
      rows={reasons.map((reason) => ({ key: reason.id, title: <ReasonForm reason={reason} /> }))}
      empty="No reasons"
    >
      <ReasonForm />
    </ListPanel>
  );
}

function ReasonForm({ reason }: { reason?: RejectReason }) {
  const name = reason === undefined ? "the new reason" : `“${reason.label}”`;
  const select = (field: string, label: string, value: string | number, options: SelectOption[]) => (
    // Remounted when the value changes, because another reason may have taken the key.
    <Select key={value} size="sm" name={field} aria-label={label} defaultValue={value} options={options} />
  );
  return (
    <ActionForm
      action={saveReason}
      errors={errors}
      clears={reason === undefined}
      className="flex flex-wrap gap-2"
    >
      <input type="hidden" name="id" value={reason?.id} />
      {reason && select("place", `Key of ${name}`, reason.place ?? "", keys)}
      <ActionField name="label" whole label={`Name of ${name}`} hideLabel className="flex-1 basis-64">
        <Input
          size="sm"
          name="label"
          placeholder="New reason"
          defaultValue={reason?.label}
          maxLength={80}
          autoComplete="off"
        />
      </ActionField>
      {select("about", `What shows ${name}`, reason?.about ?? "both", abouts)}
      <SubmitButton size="sm" aria-label={reason ? `Save ${name}` : "Add reason"}>
        {reason ? "Save" : "Add"}
      </SubmitButton>
    </ActionForm>
  );
}
