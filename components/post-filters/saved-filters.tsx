"use client";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { undoById } from "#components/actions/undo-store.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { act } from "#lib/client/actions.ts";
import { writeFilters, type Filters } from "#lib/desk/post-filters.ts";
import { filtersOfSaved } from "#lib/desk/modes.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { SavedFilter } from "#lib/review/saved-filter-schema.ts";

export function SavedFilters({ current, onPick }: { current: Filters; onPick: (filters: Filters) => void }) {
  const saved = useApi<SavedFilter[]>("/saved-filters");
  const remove = useMutation<SavedFilter, { id: string }>(
    ({ id }) => act(`/saved-filters?id=${id}`, { method: "DELETE" }),
    {
      refresh: ["/saved-filters"],
      onDone: ({ id }, { name }) =>
        notifyDone(words.reviewTools.filterDeleted(name), { undo: () => undoById(id) }),
      onFailed: (failure) => notifyFailed(words.reviewTools.filterFailed, failure),
    },
  );
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-13 font-medium">{words.reviewTools.saved_filters}</h3>
      {saved.data?.length === 0 ? (
        <p className="mt-1 text-13 text-muted">{words.reviewTools.savedEmpty}</p>
      ) : (
        <ul className="mt-1 -mx-2 flex flex-col">
          {saved.data?.map((filter) => (
            <li key={filter.id} className="flex items-center gap-1">
              <button
                type="button"
                className="flex min-h-control-sm min-w-0 flex-1 items-baseline gap-2 rounded-md px-2 text-start text-14 hover:bg-wash"
                onClick={() => onPick(filtersOfSaved(filter))}
              >
                <span dir="auto" className="truncate">
                  {filter.name}
                </span>
                {filter.own ? null : (
                  <span className="shrink-0 text-12 text-muted">
                    {words.reviewTools.sharedBy(filter.owner)}
                  </span>
                )}
              </button>
              {filter.own ? (
                <IconButton
                  label={words.reviewTools.deleteFilter(filter.name)}
                  icon={<Trash2 aria-hidden />}
                  onClick={() => void remove.run(filter)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <SaveFilter current={current} taken={saved.data ?? []} />
    </section>
  );
}

function SaveFilter({ current, taken }: { current: Filters; taken: readonly SavedFilter[] }) {
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const exists = taken.some((filter) => filter.own && filter.name === name.trim());
  const save = useMutation(
    () =>
      act<SavedFilter>("/saved-filters", {
        method: "POST",
        body: { name: name.trim(), filter: current, shared, replace: exists },
      }),
    {
      refresh: ["/saved-filters"],
      onDone: ({ answer, id }) => {
        setName("");
        notifyDone(words.reviewTools.filterSaved(answer.name), { undo: () => undoById(id) });
      },
    },
  );
  const errors = formErrors("savedFilter", save.failure);
  if (writeFilters(current) === "") return null;
  return (
    <form
      className="mt-3 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") void save.run(undefined);
      }}
    >
      <Field
        label={words.reviewTools.filterName}
        error={errors.at("name") ?? errors.form}
        {...(exists ? { hint: words.reviewTools.filterReplace } : {})}
      >
        <Input value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Checkbox
          label={words.reviewTools.filterShared}
          checked={shared}
          onChange={(event) => setShared(event.target.checked)}
        />
        <Button type="submit" size="sm" pending={save.pending}>
          {words.reviewTools.saveFilter}
        </Button>
      </div>
    </form>
  );
}
