import { Trash2 } from "lucide-react";
import { useId, useRef, useState, type FormEvent } from "react";
import { saveFilters } from "#app/(console)/posts/actions.ts";
import { useRejectReasons } from "#components/shell/member-context.tsx";
import { useAction } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { checkResults, heldReasons, pictureCategories, timedEvents } from "#components/words.ts";
import { endOfDay, startOfDay } from "#lib/base/day-schema.ts";
import { formText } from "#lib/client/form-text.ts";
import {
  checkChoiceOf,
  readFilters,
  withCheckChoice,
  writeFilters,
  type Filters,
} from "#lib/client/desk/post-filters.ts";
import type { SavedFilter } from "#lib/client/desk/saved-filters.ts";
import { dayOf, type FilterChoices } from "./filter-words.ts";

export interface FilterSheetProps {
  filters: Filters;
  choices: FilterChoices;
  /** Filters of the list of all posts, or of the desk, whose posts are neither held nor handed out. */
  place: "review" | "posts";
  onApply: (filters: Filters) => void;
  onClose: () => void;
}

const optionsOf = (words: object) =>
  Object.entries(words as Record<string, string>).map(([value, label]) => ({ value, label }));

const holds = [
  { value: "any", label: "Held for any reason" },
  ...Object.entries(heldReasons).map(([value, { name }]) => ({ value, label: name })),
];

const checks = [
  { value: "ai_would_reject=true", label: checkResults.reject },
  { value: "ai_result=unsure", label: checkResults.unsure },
  { value: "ai_would_reject=false", label: checkResults.fine },
  { value: "ai_result=not_checked", label: checkResults.not_checked },
];

/** A form whose fields have the names of the filters. State and filters without a field stay as they are. */
export function FilterSheet({ filters, choices, place, onApply, onClose }: FilterSheetProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const reasons = useRejectReasons();
  const timeZone = useTimeZone();
  const { streams, pictures, members } = choices;
  const isPosts = place === "posts";
  const shownPictures = optionsOf(pictureCategories).filter(
    ({ value }) => pictures.includes(value) || value === filters.vision_category,
  );
  const read = (): Filters => {
    const fields = new FormData(form.current ?? undefined);
    const text = (name: string) => formText(fields, name);
    const kept = Object.entries(filters).filter(([name]) => !fields.has(name));
    const next = new URLSearchParams(kept);
    for (const name of fields.keys()) next.set(name, text(name));
    if (text("happened") === "created") next.delete("happened");
    // A time in the address stays exact until its day is changed.
    for (const name of ["since", "until"] as const) {
      const day = text(name);
      const set = filters[name] ?? "";
      if (day === dayOf(set, timeZone)) next.set(name, set);
      else if (day !== "")
        next.set(name, (name === "since" ? startOfDay : endOfDay)(day, timeZone).toISOString());
    }
    if (fields.has("reviewer") && text("reviewer") !== (filters.reviewer ?? "")) next.delete("reviewed_by");
    return withCheckChoice(readFilters(next), text("check"));
  };
  const apply = (next: Filters) => {
    onApply(next);
    onClose();
  };
  const input = (name: keyof Filters) => ({ name, defaultValue: filters[name] ?? "" });
  const dateOf = (name: "since" | "until") => ({
    ...{ name, max: "9998-12-31" },
    defaultValue: dayOf(filters[name] ?? "", timeZone),
  });
  const plain = { autoCapitalize: "none", spellCheck: false } as const;
  return (
    <Dialog
      side="end"
      open
      onOpenChange={(open) => !open && onClose()}
      title="Filters"
      footer={
        <>
          <Button
            onClick={() => apply(filters.order ? { order: filters.order } : {})}
            className="me-auto"
            variant="ghost"
          >
            Clear filters
          </Button>
          <Button type="submit" form={id} variant="primary">
            Apply
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          apply(read());
        }}
      >
        <Field label="Search">
          <Input
            type="search"
            placeholder="Text, warning, alt text, author"
            maxLength={500}
            {...input("q")}
          />
        </Field>
        <Field label="Stream">
          <Select
            placeholder="All streams"
            options={streams.map((stream) => ({
              value: String(stream.id),
              label: `#${stream.hashtag} · ${stream.instance}`,
            }))}
            {...input("stream_id")}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="Check result">
            <Select name="check" placeholder="Any" options={checks} defaultValue={checkChoiceOf(filters)} />
          </Field>
          <Field label="Picture check">
            <Select placeholder="Any" options={shownPictures} {...input("vision_category")} />
          </Field>
          <Field label="Media">
            <Select
              placeholder="Any"
              options={[
                { value: "true", label: "With media" },
                { value: "false", label: "Without media" },
              ]}
              {...input("has_media")}
            />
          </Field>
          <Field label="Language" hint="Such as en, de, ja">
            <Input {...plain} maxLength={35} {...input("language")} />
          </Field>
          <Field label="Server">
            <Input {...plain} {...input("instance")} />
          </Field>
          <Field label="Author" hint="@user@host, or a user name">
            <Input {...plain} {...input("author")} />
          </Field>
        </div>
        {isPosts || filters.held_by !== undefined ? (
          <Field label="Held">
            <Select placeholder="Held or not" options={holds} {...input("held_by")} />
          </Field>
        ) : null}
        {members === undefined ? null : (
          <Field label="Decided by" hint="Also through the member's API keys">
            <Select
              placeholder="Anyone, or nobody yet"
              options={[
                ...members.map((member) => ({ value: String(member.id), label: member.name })),
                { value: "0", label: "Unknown member" },
              ]}
              {...input("reviewer")}
            />
          </Field>
        )}
        {isPosts || filters.reject_reason !== undefined ? (
          <Field label="Rejected for">
            <Select
              placeholder="Any reason, or none"
              options={[
                ...reasons.map((reason) => ({ value: String(reason.id), label: reason.label })),
                { value: "0", label: "No reason" },
              ]}
              {...input("reject_reason")}
            />
          </Field>
        ) : null}
        <Field label="Period and order by">
          <Select
            name="happened"
            defaultValue={filters.happened ?? "created"}
            options={optionsOf(timedEvents).filter(
              ({ value }) => isPosts || ["created", "fetched", filters.happened].includes(value),
            )}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="From">
            <Input type="date" {...dateOf("since")} />
          </Field>
          <Field label="Until">
            <Input type="date" {...dateOf("until")} />
          </Field>
        </div>
      </form>
      <SavedFilters saved={choices.saved} read={read} onPick={apply} />
    </Dialog>
  );
}

interface SavedFiltersProps {
  saved: readonly SavedFilter[];
  /** The filters of the form. */
  read: () => Filters;
  onPick: (filters: Filters) => void;
}

/** Applies, deletes and saves filters of the member. */
function SavedFilters({ saved, read, onPick }: SavedFiltersProps) {
  const { send: remove, pending: removing } = useAction(saveFilters);
  const [typed, setTyped] = useState("");
  const { send, pending } = useAction(saveFilters, { onDone: () => setTyped("") });
  const name = typed.trim();
  const without = (gone: string) => saved.filter((each) => each.name !== gone);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name === "" || pending) return;
    send({ saved_filters: [...without(name), { name, query: writeFilters(read()) }] });
  };
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-13 font-medium">Saved filters</h3>
      <ul className="mt-1 -mx-2 flex flex-col">
        {saved.map((each) => (
          <li key={each.name} className="flex items-center gap-1">
            <button
              type="button"
              className="min-h-control-sm min-w-0 flex-1 truncate rounded-md px-2 text-start text-14 hover:bg-wash"
              onClick={() => onPick(readFilters(new URLSearchParams(each.query)))}
            >
              <bdi>{each.name}</bdi>
            </button>
            <IconButton
              label={`Delete filter “${each.name}”`}
              icon={<Trash2 aria-hidden />}
              onClick={() => removing || remove({ saved_filters: without(each.name) })}
            />
          </li>
        ))}
      </ul>
      <form className="mt-2 flex items-end gap-2" onSubmit={save}>
        <div className="min-w-0 flex-1">
          <Field label="Name" hint="A name that is taken replaces its filter">
            <Input value={typed} maxLength={80} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </div>
        <Button type="submit" pending={pending}>
          Save these filters
        </Button>
      </form>
    </section>
  );
}
