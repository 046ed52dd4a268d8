"use client";
import { saveDesk } from "#app/(console)/settings/actions.ts";
import { setSingleKeys } from "#components/shell/single-keys.ts";
import { ActionForm, FormNotice, SubmitButton } from "#components/ui/action-form.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/input.tsx";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";

export function DeskSettings({ preferences }: { preferences: DeskPreferences }) {
  return (
    <ActionForm
      action={saveDesk}
      errors={{ form: "Change something first." }}
      onDone={(saved) => saved && setSingleKeys(saved.keys_on)}
      className="flex max-w-md flex-col gap-4"
    >
      <FormNotice />
      <Field label="Media that may be upsetting">
        <Select
          name="cover"
          defaultValue={preferences.cover}
          options={[
            { value: "blur", label: "Blurred until you show it" },
            { value: "grey", label: "A grey area; not loaded until you show it" },
            { value: "off", label: "Nothing is covered" },
          ]}
        />
      </Field>
      <Switch
        name="keys"
        label="Single-key shortcuts"
        hint="Turn off if a screen reader or voice input uses single keys. Ctrl-Z always works."
        defaultChecked={preferences.keys_on}
      />
      <SubmitButton variant="primary" className="self-start">
        Save
      </SubmitButton>
    </ActionForm>
  );
}
