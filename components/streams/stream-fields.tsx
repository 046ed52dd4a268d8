import { ActionField } from "#components/ui/action-form.tsx";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import type { FieldErrors } from "#components/ui/form-errors.ts";
import { Input } from "#components/ui/input.tsx";
import { consentPolicies, streamFields } from "#components/words.ts";
import { formText } from "#lib/client/form-text.ts";
import type { StreamSetting, StreamSettings } from "#lib/collect/stream-schema.ts";

export const streamErrors: FieldErrors = {
  ...Object.fromEntries(
    Object.entries(streamFields).flatMap(([name, field]) => ("error" in field ? [[name, field.error]] : [])),
  ),
};

type Switch = {
  [Name in keyof typeof streamFields]: StreamSettings[Name] extends boolean ? Name : never;
}[keyof typeof streamFields];
const names = Object.keys(streamFields) as (keyof typeof streamFields)[];
/** Boolean settings, which need no error text. */
const switches = names.filter((name): name is Switch => !("error" in streamFields[name]));

/** Reads the settings from a form. A missing setting is a type error. */
export function settingsOf(form: FormData) {
  const settings = {
    hashtag: form.get("hashtag"),
    instance: form.get("instance"),
    fetch_interval_minutes: Number(form.get("fetch_interval_minutes")),
    languages: formText(form, "languages")
      .split(/[\s,]+/)
      .filter(Boolean),
    ...(Object.fromEntries(switches.map((name) => [name, form.has(name)])) as Record<Switch, boolean>),
    consent_policy: form.get("consent_policy"),
  } satisfies Record<Exclude<StreamSetting, "active">, unknown>;
  // After the first post the form has no fields for the source.
  const { hashtag: _hashtag, instance: _instance, ...others } = settings;
  return form.has("hashtag") ? settings : others;
}

/** Hashtag and server. */
export function SourceFields({ settings }: { settings: StreamSettings }) {
  return (
    <div className="grid gap-4 desk:grid-cols-2">
      {(["hashtag", "instance"] as const).map((name) => (
        <TextField key={name} name={name} value={settings[name]} required />
      ))}
    </div>
  );
}

export function OptionFields({ settings }: { settings: StreamSettings }) {
  return (
    <div className="space-y-4">
      <div className="grid gap-4 desk:grid-cols-2">
        <TextField name="fetch_interval_minutes" value={String(settings.fetch_interval_minutes)} />
        <TextField name="languages" value={settings.languages.join(", ")} optional />
      </div>
      <div className="flex flex-col gap-2">
        {switches.map((name) => (
          <Switch key={name} name={name} label={streamFields[name].label} defaultChecked={settings[name]} />
        ))}
      </div>
      <FieldSet legend={streamFields.consent_policy.label}>
        <RadioGroup
          label={streamFields.consent_policy.label}
          name="consent_policy"
          value={settings.consent_policy}
          options={Object.entries(consentPolicies).map(([value, { name, hint }]) => ({
            value,
            label: name,
            hint,
          }))}
        />
      </FieldSet>
    </div>
  );
}

function TextField({
  name,
  value,
  ...field
}: {
  name: "hashtag" | "instance" | "fetch_interval_minutes" | "languages";
  value: string;
  required?: boolean;
  optional?: boolean;
}) {
  const { label, hint } = streamFields[name];
  return (
    <ActionField name={name} label={label} hint={hint} {...field}>
      <Input
        name={name}
        defaultValue={value}
        inputMode={name === "fetch_interval_minutes" ? "numeric" : undefined}
        autoCapitalize="none"
        required={field.required}
      />
    </ActionField>
  );
}
