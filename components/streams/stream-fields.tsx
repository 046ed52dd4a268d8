"use client";
import { consentPolicies, streamFields } from "#components/words.ts";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { Field, FieldSet } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { formErrors, type FieldErrors } from "#components/ui/form-errors.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { FormSetting, StreamSettings } from "#lib/collect/settings-schema.ts";

const switchError = "Switch it on or off.";
const fieldErrors: FieldErrors = {
  form: "Change something first.",
  active: switchError,
  ...Object.fromEntries(
    Object.entries(streamFields).map(([name, field]) => [name, "error" in field ? field.error : switchError]),
  ),
};

/** `only`: the source is shown until a post was stored; others for existing streams only. `sentence`: optional text, shown last with its switches. */
type FieldKind<Value> = [Value] extends [boolean]
  ? { kind: "switch" }
  : [Value] extends [number]
    ? { kind: "number" }
    : [Value] extends [readonly string[]]
      ? { kind: "list" }
      : string extends Value
        ? { kind: "text"; only?: "source" }
        : { kind: "choice"; options: Record<Value & string, { name: string; hint: string }> };

type SwitchSetting = {
  [Name in FormSetting]: StreamSettings[Name] extends boolean ? Name : never;
}[FormSetting];
type Fields = { [Name in FormSetting]: FieldKind<StreamSettings[Name]> };

/** A setting that is true or false is a switch unless it has a row. Any other without a row does not compile. */
const fields: Omit<Fields, SwitchSetting> & Partial<Pick<Fields, SwitchSetting>> = {
  hashtag: { kind: "text", only: "source" },
  instance: { kind: "text", only: "source" },
  fetch_interval_minutes: { kind: "number" },
  languages: { kind: "list" },
  consent_policy: { kind: "choice", options: consentPolicies },
};

interface AnyField {
  kind: "text" | "number" | "list" | "switch" | "choice";
  only?: "source";
  options?: Record<string, { name: string; hint: string }>;
}
const labels: Record<FormSetting, { label: string; hint?: string }> = streamFields;
const entries = (Object.keys(labels) as FormSetting[]).map((name): [FormSetting, AnyField] => [
  name,
  fields[name] ?? { kind: "switch" },
]);

/** `source`: hashtag and server; `new` and `existing`: the settings of such a stream. */
export type FormPart = "source" | "new" | "existing";
const shownIn = (parts: readonly FormPart[]) =>
  entries.filter(([, { only }]) =>
    only === undefined ? parts.some((part) => part !== "source") : parts.includes(only),
  );

/** Text as typed, also for numbers and lists. */
export type StreamDraft = Record<FormSetting, string | boolean>;

export function draftOf(settings: StreamSettings): StreamDraft {
  const values = entries.map(([name, { kind }]) => {
    const value = settings[name];
    return [
      name,
      kind === "list" ? (value as string[]).join(", ") : kind === "number" ? String(value) : value,
    ];
  });
  return Object.fromEntries(values) as StreamDraft;
}

export function bodyOf(draft: StreamDraft, parts: readonly FormPart[]): Partial<StreamSettings> {
  return Object.fromEntries(
    shownIn(parts).map(([name, { kind }]): [string, unknown] => {
      const value = draft[name];
      if (kind === "number") return [name, Number(value)];
      return [
        name,
        kind === "list"
          ? String(value)
              .split(/[\s,]+/)
              .filter(Boolean)
          : value,
      ];
    }),
  );
}

function isInput(kind: AnyField["kind"]): boolean {
  return kind === "text" || kind === "number" || kind === "list";
}

/** @param general shows a refusal of the whole form at the first field */
export function StreamFields({
  draft,
  onChange,
  failure,
  parts,
  general = false,
}: {
  draft: StreamDraft;
  onChange: (draft: StreamDraft) => void;
  failure: ApiFailure | undefined;
  parts: readonly FormPart[];
  general?: boolean;
}) {
  const errors = formErrors(fieldErrors, failure);
  const shown = shownIn(parts);
  const inputs = shown.filter(([, { kind }]) => isInput(kind));
  const switches = shown.filter(([, { kind }]) => kind === "switch");
  const choices = shown.filter(([, { kind }]) => kind === "choice");
  const set = (name: FormSetting, value: string | boolean) => onChange({ ...draft, [name]: value });
  const toggle = ([name]: (typeof entries)[number]) => (
    <Switch
      key={name}
      label={labels[name].label}
      hint={labels[name].hint}
      checked={draft[name] === true}
      onChange={(event) => set(name, event.target.checked)}
    />
  );
  return (
    <>
      <div className="grid gap-4 desk:grid-cols-2">
        {inputs.map(([name, { kind }], index) => (
          <Field
            key={name}
            label={labels[name].label}
            hint={labels[name].hint}
            error={errors.at(name) ?? (index === 0 && general ? errors.form : undefined)}
            required={kind === "text"}
            optional={kind === "list"}
          >
            <Input
              value={String(draft[name])}
              onChange={(event) => set(name, event.target.value)}
              inputMode={kind === "number" ? "numeric" : undefined}
              autoCapitalize={kind === "number" ? undefined : "none"}
              required={kind === "text"}
            />
          </Field>
        ))}
      </div>
      <div className="flex flex-col gap-2">{switches.map(toggle)}</div>
      {choices.map(([name, { options = {} }]) => (
        <FieldSet key={name} legend={labels[name].label}>
          <RadioGroup
            label={labels[name].label}
            value={String(draft[name])}
            onChange={(value) => set(name, value)}
            options={Object.entries(options).map(([value, option]) => ({
              value,
              label: option.name,
              hint: option.hint,
            }))}
          />
        </FieldSet>
      ))}
    </>
  );
}
