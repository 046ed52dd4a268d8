"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";

const w = words.settings.audit;

export interface AuditFilterValues {
  action?: string | undefined;
  actor?: string | undefined;
  /** Days (2026-05-04), both included. */
  from?: string | undefined;
  to?: string | undefined;
}

const groups = Object.entries(w.groups).map(([value, label]) => ({ value, label }));

/** Works without scripts. */
export function AuditFilters({ filters, path }: { filters: AuditFilterValues; path: string }) {
  const router = useRouter();
  const [draft, setDraft] = useState(filters);
  const go = (next: AuditFilterValues) => router.push(withQuery(path, { ...next }), { scroll: false });
  const set = (change: AuditFilterValues) => setDraft({ ...draft, ...change });
  const setNow = (change: AuditFilterValues) => {
    set(change);
    go({ ...draft, ...change });
  };
  const known = draft.action === undefined || groups.some((group) => group.value === draft.action);
  const options = known
    ? groups
    : [...groups, { value: draft.action ?? "", label: w.actions[draft.action ?? ""] ?? draft.action ?? "" }];
  return (
    <form
      method="get"
      action={path}
      className="grid grid-cols-2 items-end gap-3 border-b border-line px-4 py-3 desk:flex desk:flex-wrap"
      onSubmit={(event) => {
        event.preventDefault();
        go(draft);
      }}
    >
      <Field label={w.about} className="desk:w-44">
        <Select
          size="sm"
          name="action"
          value={draft.action ?? ""}
          placeholder={w.everything}
          options={options}
          onChange={(event) => setNow({ action: event.target.value })}
        />
      </Field>
      <Field label={w.by} className="desk:w-44">
        <Input
          size="sm"
          name="actor"
          value={draft.actor ?? ""}
          maxLength={200}
          placeholder={w.byHint}
          onChange={(event) => set({ actor: event.target.value })}
        />
      </Field>
      <Field label={w.from} className="desk:w-36">
        <Input
          size="sm"
          type="date"
          name="from"
          value={draft.from ?? ""}
          max={draft.to}
          onChange={(event) => set({ from: event.target.value })}
        />
      </Field>
      <Field label={w.to} className="desk:w-36">
        <Input
          size="sm"
          type="date"
          name="to"
          value={draft.to ?? ""}
          min={draft.from}
          onChange={(event) => set({ to: event.target.value })}
        />
      </Field>
      <Button type="submit" size="sm">
        {w.show}
      </Button>
      {Object.values(filters).some((value) => value !== undefined) ? (
        <ButtonLink href={path} size="sm" variant="ghost" scroll={false}>
          {w.clear}
        </ButtonLink>
      ) : null}
    </form>
  );
}
