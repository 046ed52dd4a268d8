"use client";
import { useState } from "react";
import { setSingleKeys } from "#components/shell/single-keys.ts";
import { Button } from "#components/ui/button.tsx";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import {
  readPreferences,
  type DeskPreferences,
  type StoredPreferences,
} from "#lib/client/desk/preferences.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

export async function savePreferences(preferences: StoredPreferences): Promise<DeskPreferences> {
  const profile = await apiFetch<Profile>("/profile", { method: "PATCH", body: { preferences } });
  const saved = readPreferences(profile.preferences);
  setSingleKeys(saved.keys_on);
  return saved;
}

export interface DeskSettingsProps {
  preferences: DeskPreferences;
  /** Form id, for a submit button outside the form. */
  form?: string;
  onSaved?: (preferences: DeskPreferences) => void;
}

export function DeskSettings({ preferences, form, onSaved }: DeskSettingsProps) {
  const [cover, setCover] = useState(preferences.cover);
  const [keysOn, setKeysOn] = useState(preferences.keys_on);
  const save = useMutation(() => savePreferences(stored(cover, keysOn)), {
    onDone: (now) => {
      notifyDone("Desk settings saved");
      onSaved?.(now);
    },
    onFailed: (failure) => notifyFailed("The desk settings were not saved", failure),
  });
  return (
    <form
      id={form}
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run(undefined);
      }}
    >
      <fieldset>
        <legend className="mb-2 text-13 font-medium">Media that may be upsetting</legend>
        <RadioGroup
          label="Media that may be upsetting"
          value={cover}
          onChange={(value) => setCover(value as DeskPreferences["cover"])}
          options={[
            { value: "blur", label: "Blur", hint: "Blurred until you show it" },
            { value: "grey", label: "Hide", hint: "A grey area; not loaded until you show it" },
            { value: "off", label: "Show", hint: "Nothing is covered" },
          ]}
        />
      </fieldset>
      <div className="flex flex-col gap-3">
        <Switch
          label="Single-key shortcuts"
          hint="Turn off if a screen reader or voice input uses single keys. Ctrl-Z always works."
          checked={keysOn}
          onChange={(event) => setKeysOn(event.target.checked)}
        />
      </div>
      {form === undefined ? (
        <Button type="submit" variant="primary" className="self-start" pending={save.pending}>
          Save
        </Button>
      ) : null}
    </form>
  );
}

/** Defaults are not stored, so that changed defaults reach everyone. */
function stored(cover: DeskPreferences["cover"], keysOn: boolean): StoredPreferences {
  return { covered_media: cover === "blur" ? null : cover, desk_keys_off: keysOn ? null : true };
}
