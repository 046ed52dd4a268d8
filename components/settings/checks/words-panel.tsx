"use client";
import { plural } from "#components/format.ts";
import { Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import type { ClassifyWord, WordEffect } from "#lib/checks/words/schema.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const fieldErrors = {
  form: "Change something first.",
  word: "Enter a word or phrase of at most 100 characters.",
  stream_id: "Choose a stream of the list.",
} as const;

const wordEffect = (waiting: number, complete: boolean) =>
  waiting === 0
    ? "No waiting post has it."
    : `${complete ? "" : "At least "}${plural(waiting, "waiting post has", "waiting posts have")} it, and will be checked again.`;

const PATH = "/classify/words";
type Draft = Pick<ClassifyWord, "word">;
/** Time without a change before the posts are counted. */
const PAUSE_MS = 300;

export function WordsPanel({ words: rendered }: { words: ClassifyWord[] }) {
  const mayManage = useCan("admin");
  const { data = rendered } = useApi<ClassifyWord[]>(PATH, { fallback: rendered });
  const columns: Column<ClassifyWord>[] = [
    {
      key: "word",
      header: "Word or phrase",
      primary: true,
      wrap: true,
      cell: (entry) => <bdi>{entry.word}</bdi>,
    },
    { key: "added", header: "Added", width: "8rem", cell: (entry) => <RelativeTime at={entry.created_at} /> },
  ];
  if (mayManage) {
    columns.push({
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "4rem",
      cell: (entry) => (
        <span className="flex max-desk:absolute max-desk:end-2 max-desk:top-2 desk:justify-end">
          <RemoveButton entry={entry} />
        </span>
      ),
    });
  }
  return (
    <Panel
      title="Rejected words"
      description="Whole words or phrases, in any letter case. One match makes the checks advise rejection."
      flush
    >
      {mayManage ? <AddWord /> : null}
      <DataTable
        caption="Rejected words"
        columns={columns}
        rows={data}
        rowKey={(entry) => entry.id}
        empty={
          <EmptyState title="No rejected words" className="py-8">
            Posts with these words are marked for rejection.
          </EmptyState>
        }
      />
    </Panel>
  );
}

function AddWord() {
  const [word, setWord] = useState("");
  const draft: Draft = { word };
  const field = useRef<HTMLInputElement>(null);
  const adding = useMutation<Draft, ClassifyWord>(
    (draft) => apiFetch(PATH, { method: "POST", body: draft }),
    {
      refresh: [PATH],
      onDone: (added) => {
        notifyDone(`“${added.word}” added`);
        setWord("");
        field.current?.focus();
      },
    },
  );
  const errors = formErrors(fieldErrors, adding.failure);
  return (
    <form
      className="grid items-start gap-3 border-b border-line px-4 py-3 desk:grid-cols-[1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void adding.run(draft);
      }}
    >
      <Field label="Word or phrase" hideLabel error={errors.at("word") ?? errors.form} required>
        <Input
          ref={field}
          value={word}
          placeholder="Word or phrase"
          maxLength={100}
          autoComplete="off"
          required
          onChange={(event) => {
            setWord(event.target.value);
            adding.reset();
          }}
        />
      </Field>
      <Button type="submit" icon={<Plus aria-hidden />} pending={adding.pending}>
        Add
      </Button>
      {word.trim() === "" || adding.failure ? null : <Effect draft={draft} />}
    </form>
  );
}

/** Unreviewed posts that have the word. */
function Effect({ draft }: { draft: Draft }) {
  const [known, setKnown] = useState({ word: "", text: "" });
  const { word } = draft;
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void apiFetch<WordEffect>(`${PATH}?dry_run=true`, { method: "POST", body: { word } })
        .then(
          ({ waiting, complete }) => wordEffect(waiting, complete),
          (thrown: unknown) => asFailure(thrown).detail,
        )
        .then((text) => isCurrent && setKnown({ word, text }));
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [word]);
  return (
    <p role="status" className="text-13 text-muted desk:col-span-2">
      {known.word === word ? known.text : null}
    </p>
  );
}

function RemoveButton({ entry }: { entry: ClassifyWord }) {
  const remove = useMutation<ClassifyWord, null>(
    ({ id }) => apiFetch(`${PATH}/${id}`, { method: "DELETE" }),
    {
      refresh: [PATH],
      onDone: (_, { word }) => notifyDone(`“${word}” removed`),
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  return (
    <IconButton
      label={`Remove “${entry.word}”`}
      icon={<X />}
      pending={remove.pending}
      onClick={() => void remove.run(entry)}
    />
  );
}
