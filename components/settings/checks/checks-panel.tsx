"use client";
import { useState } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { nameOf } from "#components/checks/check-name.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { CheckChange, CheckState, ChecksSettings } from "#lib/checks/settings/schema.ts";
import { ChangeBar } from "./change-bar.tsx";
import { asPercent, readPercent } from "./percent.ts";

const w = words.checks;
const PATH = "/checks/settings";
/** While posts are judged again. */
const REFRESH_MS = 3000;

export function ChecksPanel({ settings: rendered }: { settings: ChecksSettings }) {
  const { data = rendered, reload } = useApi<ChecksSettings>(PATH, {
    fallback: rendered,
    refreshEvery: REFRESH_MS,
  });
  return (
    <Panel title={w.settings} description={w.settingsHint} flush>
      {data.judging ? (
        <Notice tone="info" className="mx-4 mt-3">
          {w.judging}
        </Notice>
      ) : null}
      <ul className="divide-y divide-line">
        {data.checks.map((check) =>
          check.missing === null ? (
            <CheckItem
              key={check.name}
              check={check}
              onSaved={(after) => void reload(after, { revalidate: false })}
            />
          ) : null,
        )}
        {notSetUp(data.checks).map(([why, names]) => (
          <li key={why} className="px-4 py-2 text-13 text-muted">
            {w.notSetUp(names.join(", "), why)}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Names of checks that cannot run on this installation, by reason. */
function notSetUp(checks: readonly CheckState[]): [why: string, names: string[]][] {
  const names = new Map<string, string[]>();
  for (const { name, missing } of checks)
    if (missing !== null) names.set(missing, [...(names.get(missing) ?? []), nameOf(name)]);
  return [...names];
}

interface Draft {
  enabled: boolean;
  votes: boolean;
  shown: boolean;
  /** Per cent; empty is the default. */
  threshold: string;
}

function draftOf(check: CheckState): Draft {
  const { enabled, votes, shown, threshold, default_threshold } = check;
  return { enabled, votes, shown, threshold: threshold === default_threshold ? "" : asPercent(threshold) };
}

/** Null if the threshold is not a percentage. */
function changeOf(check: CheckState, draft: Draft): CheckChange | null {
  const stored = draftOf(check);
  const threshold = draft.threshold.trim() === "" ? "default" : readPercent(draft.threshold, 1);
  if (threshold === null) return null;
  return {
    name: check.name,
    ...(draft.enabled === stored.enabled ? {} : { enabled: draft.enabled }),
    ...(draft.votes === stored.votes ? {} : { votes: draft.votes }),
    ...(draft.shown === stored.shown ? {} : { shown: draft.shown }),
    ...(draft.threshold.trim() === stored.threshold
      ? {}
      : { threshold: threshold === "default" ? null : threshold }),
  };
}

function CheckItem({ check, onSaved }: { check: CheckState; onSaved: (after: ChecksSettings) => void }) {
  const mayManage = useCan("admin");
  const [draft, setDraft] = useState<Draft | null>(null);
  const shown = draft ?? draftOf(check);
  const change = changeOf(check, shown);
  const isChanged = change !== null && Object.keys(change).length > 1;
  const name = nameOf(check.name);
  const save = useMutation<CheckChange, ChecksSettings>(
    (body) => apiFetch(PATH, { method: "PUT", body: { checks: [body] } }),
    {
      onDone: (answer) => {
        onSaved(answer);
        setDraft(null);
        notifyDone(w.saved);
      },
      onFailed: (failure) => notifyFailed(words.settings.refused, failure),
    },
  );
  const edit = (part: Partial<Draft>) => setDraft({ ...shown, ...part });
  return (
    <li className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h3 className="flex flex-wrap items-center gap-2 text-14 font-medium">
            {name}
            {check.enabled ? null : <Badge>{w.off}</Badge>}
          </h3>
          <p className="mt-0.5 max-w-prose text-13 text-muted">{w.describes[check.name]}</p>
        </div>
        <div className="flex flex-wrap items-start gap-x-5 gap-y-2">
          <Switch
            label={w.on}
            aria-label={w.onOf(name)}
            checked={shown.enabled}
            disabled={!mayManage || save.pending}
            onChange={(event) => edit({ enabled: event.target.checked })}
          />
          {check.default_shown ? null : (
            <Switch
              label={w.show}
              aria-label={w.showOf(name)}
              checked={shown.shown}
              disabled={!mayManage || save.pending}
              onChange={(event) => edit({ shown: event.target.checked })}
            />
          )}
          {check.name === "question" ? null : (
            <Switch
              label={w.votes}
              aria-label={w.votesOf(name)}
              checked={shown.votes}
              disabled={!mayManage || save.pending}
              onChange={(event) => edit({ votes: event.target.checked })}
            />
          )}
          <Field
            label={<span aria-label={w.thresholdOf(name)}>{w.thresholdIn}</span>}
            error={change === null ? w.thresholdWrong : undefined}
            hint={thresholdHint(check)}
            className="w-44"
          >
            <Input
              size="sm"
              inputMode="numeric"
              className="tabular"
              disabled={!mayManage || save.pending}
              placeholder={check.default_threshold === null ? "" : asPercent(check.default_threshold)}
              value={shown.threshold}
              onChange={(event) => edit({ threshold: event.target.value })}
            />
          </Field>
        </div>
      </div>
      {mayManage && isChanged ? (
        <ChangeBar
          change={change}
          name={name}
          pending={save.pending}
          onSave={() => void save.run(change)}
          onCancel={() => setDraft(null)}
        />
      ) : null}
    </li>
  );
}

function thresholdHint(check: CheckState): string {
  if (check.default_threshold !== null) return w.defaultThreshold(asPercent(check.default_threshold));
  return w.learnerThreshold;
}
