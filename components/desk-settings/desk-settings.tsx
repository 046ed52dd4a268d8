"use client";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { clashes, defaultKeys, keyActions, type KeyMap } from "#lib/desk/keys.ts";
import {
  breakChoices,
  readPreferences,
  type DeskPreferences,
  type StoredPreferences,
} from "#lib/desk/preferences.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Profile } from "#lib/members/schema.ts";
import { setSingleKeys } from "#components/shell/single-keys.ts";
import { KeyEditor } from "./key-editor.tsx";

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
  const [keys, setKeys] = useState<KeyMap>(preferences.keys);
  const [minutes, setMinutes] = useState(preferences.break_minutes);
  const save = useMutation(() => savePreferences(stored({ cover, keysOn, keys, minutes })), {
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
        if (clashes(keys).size === 0) void save.run(undefined);
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
        {keysOn ? (
          <>
            <KeyEditor keys={keys} onChange={setKeys} />
            {keyActions.some((action) => keys[action] !== defaultKeys[action]) ? (
              <Button
                size="sm"
                variant="ghost"
                className="self-start"
                icon={<RotateCcw aria-hidden />}
                onClick={() => setKeys({ ...defaultKeys })}
              >
                {words.reviewTools.resetKeys}
              </Button>
            ) : null}
          </>
        ) : null}
      </div>
      <Field label={words.reviewTools.breakSetting} className="max-w-60">
        <Select
          value={minutes ?? ""}
          onChange={(event) => setMinutes(event.target.value === "" ? null : Number(event.target.value))}
          options={[
            { value: "", label: words.reviewTools.breakOptions.never },
            ...breakChoices.map((count) => ({
              value: String(count),
              label: words.reviewTools.breakOptions.minutes(count),
            })),
          ]}
        />
      </Field>
      {form === undefined ? (
        <Button type="submit" variant="primary" className="self-start" pending={save.pending}>
          {words.common.save}
        </Button>
      ) : null}
    </form>
  );
}

/** Defaults are not stored, so that changed defaults reach everyone. */
function stored(now: {
  cover: DeskPreferences["cover"];
  keysOn: boolean;
  keys: KeyMap;
  minutes: number | null;
}): StoredPreferences {
  const changed = keyActions.filter((action) => now.keys[action] !== defaultKeys[action]);
  return {
    covered_media: now.cover === "blur" ? null : now.cover,
    desk_keys_off: now.keysOn ? null : true,
    desk_keys:
      changed.length === 0 ? null : Object.fromEntries(changed.map((action) => [action, now.keys[action]])),
    desk_break_minutes: now.minutes,
  };
}
