"use client";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { savePreferences } from "#app/(console)/settings/actions.ts";
import { runAction } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
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

/** The member's own, kept in the preferences. `read` gives the filters of the form. */
export function SavedFilters({ read, onPick }: { read: () => Filters; onPick: (filters: Filters) => void }) {
  const profile = useApi<Profile>("/profile");
  const saved = profile.data ? readSavedFilters(profile.data.preferences) : null;
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const store = useMutation<Change, Profile | undefined>(
    ({ filters }) => runAction(savePreferences, { preferences: { saved_filters: filters } }),
    {
      onDone: (answer, { message }) => {
        void profile.reload(answer, { revalidate: false });
        setTyped("");
        notifyDone(message);
      },
      onFailed: (failure) => notifyFailed("The filter was not saved", failure),
    },
  );
  const save = () => {
    const filter = read();
    if (saved === null || name === "") return;
    if (writeFilters(filter) === "") return notifyInfo("Set a filter first");
    void store.run({
      filters: withSavedFilter(saved, { name, filter }),
      message: `Filter “${name}” saved`,
    });
  };
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-13 font-medium">Saved filters</h3>
      <ul className="mt-1 -mx-2 flex flex-col">
        {saved?.map((each) => (
          <li key={each.name} className="flex items-center gap-1">
            <button
              type="button"
              className="min-h-control-sm min-w-0 flex-1 truncate rounded-md px-2 text-start text-14 hover:bg-wash"
              onClick={() => onPick(each.filter)}
            >
              <bdi>{each.name}</bdi>
            </button>
            <IconButton
              label={`Delete filter “${each.name}”`}
              icon={<Trash2 aria-hidden />}
              onClick={() =>
                void store.run({
                  filters: withoutSavedFilter(saved, each.name),
                  message: `Filter “${each.name}” deleted`,
                })
              }
            />
          </li>
        ))}
      </ul>
      <form
        className="mt-2 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="min-w-0 flex-1">
          <Field
            label="Name"
            {...(saved?.some((each) => each.name === name)
              ? { hint: "Replace the filter with this name" }
              : {})}
          >
            <Input value={typed} maxLength={MAX_NAME} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </div>
        <Button type="submit" pending={store.pending}>
          Save these filters
        </Button>
      </form>
    </section>
  );
}
