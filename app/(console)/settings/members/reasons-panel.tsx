import { ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { reasonAbouts } from "#components/words.ts";
import { MAX_REASONS, type RejectReason } from "#lib/review/reject-reason-schema.ts";
import { addReason, changeReason } from "../actions.ts";

const errors = { form: "Change something first.", label: "Enter a name of at most 80 characters." };
const placeOptions = Array.from({ length: MAX_REASONS }, (_, index) => ({
  value: String(index + 1),
  label: `Key ${index + 1}`,
}));
const aboutOptions = Object.entries(reasonAbouts).map(([value, label]) => ({
  value,
  label: `Shown by ${label}`,
}));

/** A reason without a key is archived: its rejections keep it. */
export function ReasonsPanel({ reasons }: { reasons: RejectReason[] }) {
  return (
    <Panel
      title="Rejection reasons"
      description="For the whole team. The number is the key at the desk. A reason is stored with the rejection, counted, and a filter of posts. The learner ignores rejections for reasons that no text shows."
      flush
    >
      <ul aria-label="Rejection reasons" className="divide-y divide-line">
        {[...reasons, null].map((reason) => {
          const name = reason === null ? "the new reason" : `“${reason.label}”`;
          return (
            <li key={reason?.id ?? "new"} className="px-4 py-2.5">
              <ActionForm
                action={reason === null ? addReason : changeReason}
                errors={errors}
                clears={reason === null}
                className="grid items-start gap-2 desk:grid-cols-[8rem_1fr_16rem_6rem]"
              >
                <input type="hidden" name="id" value={reason?.id} />
                <Select
                  // Another reason may have taken its place.
                  key={reason?.place}
                  size="sm"
                  name="place"
                  aria-label={`Key of ${name}`}
                  defaultValue={reason?.place ?? ""}
                  placeholder={reason === null ? "New" : "Archived"}
                  options={reason === null ? [] : placeOptions}
                />
                <ActionField name="label" whole label={`Name of ${name}`} hideLabel>
                  <Input
                    size="sm"
                    name="label"
                    defaultValue={reason?.label}
                    maxLength={80}
                    autoComplete="off"
                  />
                </ActionField>
                <Select
                  key={reason?.about}
                  size="sm"
                  name="about"
                  aria-label={`What shows ${name}`}
                  defaultValue={reason?.about ?? "both"}
                  options={aboutOptions}
                />
                <SubmitButton size="sm" aria-label={reason === null ? "Add reason" : `Save ${name}`}>
                  {reason === null ? "Add" : "Save"}
                </SubmitButton>
              </ActionForm>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
