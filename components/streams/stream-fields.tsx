"use client";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { Field, FieldSet } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { FormSetting, StreamSettings } from "#lib/streams/settings-schema.ts";

/** `onlyNew`: for new streams only. */
type FieldKind<Value> = [Value] extends [boolean]
  ? { kind: "switch" }
  : [Value] extends [number]
    ? { kind: "number" }
    : [Value] extends [readonly string[]]
      ? { kind: "list" }
      : string extends Value
        ? { kind: "text"; onlyNew?: boolean }
        : { kind: "choice"; options: Record<Value & string, { name: string; hint: string }> };

/** In the order of the screen. A missing field does not compile. */
const fields: { [Name in FormSetting]: FieldKind<StreamSettings[Name]> } = {
  hashtag: { kind: "text", onlyNew: true },
  instance: { kind: "text", onlyNew: true },
  fetch_interval_minutes: { kind: "number" },
  languages: { kind: "list" },
  enable_scheduling: { kind: "switch" },
  require_media: { kind: "switch" },
  drop_replies: { kind: "switch" },
  consent_policy: { kind: "choice", options: words.streams.policies },
};

interface AnyField {
  kind: "text" | "number" | "list" | "switch" | "choice";
  onlyNew?: boolean;
  options?: Record<string, { name: string; hint: string }>;
}
const entries = Object.entries(fields) as [FormSetting, AnyField][];
const labels: Record<FormSetting, { label: string; hint?: string }> = words.streams.fields;

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

export function bodyOf(draft: StreamDraft, { isNew }: { isNew: boolean }): Partial<StreamSettings> {
  const shown = entries.filter(([, field]) => isNew || !field.onlyNew);
  return Object.fromEntries(
    shown.map(([name, { kind }]): [string, unknown] => {
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

/** Items of a list share one field, which shows the message of any item. */
export function fieldError(failure: ApiFailure | undefined, name: FormSetting): string | undefined {
  return failure?.errors.find(({ path }) => path.split(".")[0] === name)?.message;
}

export function hasFieldError(failure: ApiFailure): boolean {
  return entries.some(([name, { kind }]) => isInput(kind) && fieldError(failure, name) !== undefined);
}

function isInput(kind: AnyField["kind"]): boolean {
  return kind === "text" || kind === "number" || kind === "list";
}

/** @param general a message without a field, shown at the first one */
export function StreamFields({
  draft,
  onChange,
  failure,
  isNew = false,
  general,
}: {
  draft: StreamDraft;
  onChange: (draft: StreamDraft) => void;
  failure: ApiFailure | undefined;
  isNew?: boolean;
  general?: string | undefined;
}) {
  const shown = entries.filter(([, field]) => isNew || !field.onlyNew);
  const inputs = shown.filter(([, { kind }]) => isInput(kind));
  const switches = shown.filter(([, { kind }]) => kind === "switch");
  const choices = shown.filter(([, { kind }]) => kind === "choice");
  const set = (name: FormSetting, value: string | boolean) => onChange({ ...draft, [name]: value });
  return (
    <>
      <div className="grid gap-4 desk:grid-cols-2">
        {inputs.map(([name, { kind }], index) => (
          <Field
            key={name}
            label={labels[name].label}
            hint={labels[name].hint}
            error={fieldError(failure, name) ?? (index === 0 ? general : undefined)}
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
      <div className="flex flex-col gap-2">
        {switches.map(([name]) => (
          <Switch
            key={name}
            label={labels[name].label}
            hint={labels[name].hint}
            checked={draft[name] === true}
            onChange={(event) => set(name, event.target.checked)}
          />
        ))}
      </div>
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
