"use client";
import { RadioGroup, Switch } from "#components/ui/choice.tsx";
import { Field, FieldSet } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";

const w = words.streams;

/** What can be set on a stream besides what it is, as the form holds it. */
export interface StreamDraft {
  fetch_interval_minutes: string;
  enable_scheduling: boolean;
  require_media: boolean;
  drop_replies: boolean;
  languages: string;
  consent_policy: string;
}

/** A wrong code is told by its place in the list; there is one field for all of them. */
function languagesError(failure: ApiFailure | undefined): string | undefined {
  return failure?.errors.find(({ path }) => /^languages(\.|$)/.test(path))?.message;
}

/** The settings of a stream, for a new one and for one that is changed. */
export function StreamFields({
  draft,
  onChange,
  failure,
}: {
  draft: StreamDraft;
  onChange: (draft: StreamDraft) => void;
  failure: ApiFailure | undefined;
}) {
  const set = (change: Partial<StreamDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <div className="grid gap-4 desk:grid-cols-2">
        <Field
          label={w.intervalMinutes}
          hint={w.intervalHint}
          error={failure?.fieldError("fetch_interval_minutes")}
        >
          <Input
            inputMode="numeric"
            value={draft.fetch_interval_minutes}
            onChange={(event) => set({ fetch_interval_minutes: event.target.value })}
          />
        </Field>
        <Field label={w.languages} hint={w.languagesHint} error={languagesError(failure)} optional>
          <Input
            value={draft.languages}
            autoCapitalize="none"
            onChange={(event) => set({ languages: event.target.value })}
          />
        </Field>
      </div>
      <div className="flex flex-col gap-2">
        <Switch
          label={w.schedule}
          checked={draft.enable_scheduling}
          onChange={(event) => set({ enable_scheduling: event.target.checked })}
        />
        <Switch
          label={w.requireMedia}
          checked={draft.require_media}
          onChange={(event) => set({ require_media: event.target.checked })}
        />
        <Switch
          label={w.dropReplies}
          checked={draft.drop_replies}
          onChange={(event) => set({ drop_replies: event.target.checked })}
        />
      </div>
      <FieldSet legend={w.consent}>
        <RadioGroup
          label={w.consent}
          value={draft.consent_policy}
          onChange={(consent_policy) => set({ consent_policy })}
          options={Object.entries(w.policies).map(([value, policy]) => ({
            value,
            label: policy.name,
            hint: policy.hint,
          }))}
        />
      </FieldSet>
    </>
  );
}
