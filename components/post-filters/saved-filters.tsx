"use client";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { savePreferences } from "#app/(console)/settings/actions.ts";
import { runAction } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { writeFilters, type Filters } from "#lib/client/desk/post-filters.ts";
import {
  MAX_NAME,
  readSavedFilters,
  withoutSavedFilter,
  withSavedFilter,
  type SavedFilter,
} from "#lib/client/desk/saved-filters.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

interface Change {
  filters: SavedFilter[];
  message: string;
}

/** The member's own, kept in the preferences. */
export function SavedFilters({ current, onPick }: { current: Filters; onPick: (filters: Filters) => void }) {
  const profile = useApi<Profile>("/profile");
  const saved = profile.data ? readSavedFilters(profile.data.preferences) : null;
  const store = useMutation<Change, Profile | undefined>(
    ({ filters }) => runAction(savePreferences, { preferences: { saved_filters: filters } }),
    {
      onDone: (answer, { message }) => {
        void profile.reload(answer, { revalidate: false });
        notifyDone(message);
      },
      onFailed: (failure) => notifyFailed("The filter was not saved", failure),
    },
  );
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-13 font-medium">Saved filters</h3>
      {saved?.length === 0 ? (
        <p className="mt-1 text-13 text-muted">No saved filters yet</p>
      ) : (
        <ul className="mt-1 -mx-2 flex flex-col">
          {saved?.map(({ name, filter }) => (
            <li key={name} className="flex items-center gap-1">
              <button
                type="button"
                className="flex min-h-control-sm min-w-0 flex-1 items-baseline gap-2 rounded-md px-2 text-start text-14 hover:bg-wash"
                onClick={() => onPick(filter)}
              >
                <span dir="auto" className="truncate">
                  {name}
                </span>
              </button>
              <IconButton
                label={`Delete filter “${name}”`}
                icon={<Trash2 aria-hidden />}
                onClick={() =>
                  void store.run({
                    filters: withoutSavedFilter(saved, name),
                    message: `Filter “${name}” deleted`,
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      {saved === null || writeFilters(current) === "" ? null : (
        <SaveFilter
          saved={saved}
          pending={store.pending}
          onSave={(name) =>
            store.run({
              filters: withSavedFilter(saved, { name, filter: current }),
              message: `Filter “${name}” saved`,
            })
          }
        />
      )}
    </section>
  );
}

interface SaveFilterProps {
  saved: readonly SavedFilter[];
  pending: boolean;
  onSave: (name: string) => Promise<unknown>;
}

function SaveFilter({ saved, pending, onSave }: SaveFilterProps) {
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const exists = saved.some((filter) => filter.name === name);
  return (
    <form
      className="mt-3 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== "") void onSave(name).then(() => setTyped(""));
      }}
    >
      <Field label="Name" {...(exists ? { hint: "Replace the filter with this name" } : {})}>
        <Input value={typed} maxLength={MAX_NAME} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <Button type="submit" size="sm" className="self-end" pending={pending}>
        Save these filters
      </Button>
    </form>
  );
}
