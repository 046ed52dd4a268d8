"use client";
import { useState } from "react";
import { setSingleKeys } from "#components/shell/single-keys.ts";
import { Button } from "#components/ui/button.tsx";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
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
      notifyDone(words.reviewTools.settingsSaved);
      onSaved?.(now);
    },
    onFailed: (failure) => notifyFailed(words.reviewTools.settingsFailed, failure),
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
        <legend className="mb-2 text-13 font-medium">{words.reviewTools.coverTitle}</legend>
        <RadioGroup
          label={words.reviewTools.coverTitle}
          value={cover}
          onChange={(value) => setCover(value as DeskPreferences["cover"])}
          options={[
            { value: "blur", label: words.reviewTools.covers.blur, hint: words.reviewTools.covers.blurHint },
            { value: "grey", label: words.reviewTools.covers.grey, hint: words.reviewTools.covers.greyHint },
            { value: "off", label: words.reviewTools.covers.off, hint: words.reviewTools.covers.offHint },
          ]}
        />
      </fieldset>
      <div className="flex flex-col gap-3">
        <Switch
          label={words.reviewTools.keysOn}
          hint={words.reviewTools.keysOnHint}
          checked={keysOn}
          onChange={(event) => setKeysOn(event.target.checked)}
        />
      </div>
      {form === undefined ? (
        <Button type="submit" variant="primary" className="self-start" pending={save.pending}>
          {words.common.save}
        </Button>
      ) : null}
    </form>
  );
}

/** Defaults are not stored, so that changed defaults reach everyone. */
function stored(cover: DeskPreferences["cover"], keysOn: boolean): StoredPreferences {
  return { covered_media: cover === "blur" ? null : cover, desk_keys_off: keysOn ? null : true };
}
