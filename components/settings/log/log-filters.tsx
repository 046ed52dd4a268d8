"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { withQuery } from "#lib/client/query-string.ts";

/** By name; `from` and `to` are days (2026-05-04), both included. */
export type LogFilterValues = Record<string, string | undefined>;

export interface LogField {
  name: string;
  label: string;
  placeholder: string;
  /** A text field without. */
  options?: readonly { value: string; label: string }[];
}

export interface LogFiltersProps {
  fields: readonly LogField[];
  filters: LogFilterValues;
  path: string;
}

/** Works without scripts. */
export function LogFilters({ fields, filters, path }: LogFiltersProps) {
  const router = useRouter();
  const [draft, setDraft] = useState(filters);
  const go = (next: LogFilterValues) => router.push(withQuery(path, next), { scroll: false });
  const set = (change: LogFilterValues) => setDraft({ ...draft, ...change });
  const setNow = (change: LogFilterValues) => {
    set(change);
    go({ ...draft, ...change });
  };
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
      {fields.map(({ name, label, placeholder, options }) => (
        <Field key={name} label={label} className="desk:w-44">
          {options === undefined ? (
            <Input
              size="sm"
              name={name}
              value={draft[name] ?? ""}
              maxLength={200}
              placeholder={placeholder}
              onChange={(event) => set({ [name]: event.target.value })}
            />
          ) : (
            <Select
              size="sm"
              name={name}
              value={draft[name] ?? ""}
              placeholder={placeholder}
              options={options}
              onChange={(event) => setNow({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label="From" className="desk:w-36">
        <Input
          size="sm"
          type="date"
          name="from"
          value={draft["from"] ?? ""}
          max={draft["to"]}
          onChange={(event) => set({ from: event.target.value })}
        />
      </Field>
      <Field label="To" className="desk:w-36">
        <Input
          size="sm"
          type="date"
          name="to"
          value={draft["to"] ?? ""}
          min={draft["from"]}
          onChange={(event) => set({ to: event.target.value })}
        />
      </Field>
      <Button type="submit" size="sm">
        Show
      </Button>
      {Object.values(filters).some((value) => value !== undefined) ? (
        <ButtonLink href={path} size="sm" variant="ghost" scroll={false}>
          Clear filters
        </ButtonLink>
      ) : null}
    </form>
  );
}
