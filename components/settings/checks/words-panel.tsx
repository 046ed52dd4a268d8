"use client";
import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ClassifyWord, WordEffect } from "#lib/checks/words/schema.ts";
import { useDryRun } from "./change-bar.tsx";
import type { NamedStream } from "#components/settings/keys/key-facts.ts";

const w = words.settings;
const PATH = "/classify/words";
type Draft = Pick<ClassifyWord, "word" | "stream_id">;

export function WordsPanel({ words: rendered, streams }: { words: ClassifyWord[]; streams: NamedStream[] }) {
  const mayManage = useCan("admin");
  const { data = rendered } = useApi<ClassifyWord[]>(PATH, { fallback: rendered });
  const names = new Map(streams.map((stream) => [stream.id, `#${stream.hashtag} ${stream.instance}`]));
  const columns: Column<ClassifyWord>[] = [
    { key: "word", header: w.word, primary: true, wrap: true, cell: (entry) => <bdi>{entry.word}</bdi> },
    {
      key: "stream",
      header: w.wordStream,
      wrap: true,
      cell: (entry) =>
        entry.stream_id === null
          ? w.everyStream
          : (names.get(entry.stream_id) ?? w.streamGone(entry.stream_id)),
    },
    { key: "added", header: w.added, width: "8rem", cell: (entry) => <RelativeTime at={entry.created_at} /> },
  ];
  if (mayManage) {
    columns.push({
      key: "act",
      header: words.common.actions,
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
    <Panel title={w.words} description={w.wordsHint} flush>
      {mayManage ? <AddWord streams={streams} /> : null}
      <DataTable
        caption={w.words}
        columns={columns}
        rows={data}
        rowKey={(entry) => entry.id}
        empty={
          <EmptyState title={w.wordsEmpty} className="py-8">
            {w.wordsEmptyHint}
          </EmptyState>
        }
      />
    </Panel>
  );
}

function AddWord({ streams }: { streams: NamedStream[] }) {
  const [word, setWord] = useState("");
  const [stream, setStream] = useState("");
  const draft: Draft = { word, stream_id: stream === "" ? null : Number(stream) };
  const field = useRef<HTMLInputElement>(null);
  const adding = useMutation<Draft, ClassifyWord>(
    (draft) => apiFetch(PATH, { method: "POST", body: draft }),
    {
      refresh: [PATH],
      onDone: (answer) => {
        notifyDone(w.wordAdded(answer.word));
        setWord("");
        field.current?.focus();
      },
    },
  );
  const errors = formErrors("blockedWord", adding.failure);
  return (
    <form
      className="grid items-start gap-3 border-b border-line px-4 py-3 desk:grid-cols-[1fr_1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void adding.run(draft);
      }}
    >
      <Field label={w.word} hideLabel error={errors.at("word") ?? errors.form} required>
        <Input
          ref={field}
          value={word}
          placeholder={w.word}
          maxLength={100}
          autoComplete="off"
          required
          onChange={(event) => {
            setWord(event.target.value);
            adding.reset();
          }}
        />
      </Field>
      <Field label={w.wordStream} hideLabel error={errors.at("stream_id")}>
        <Select
          value={stream}
          placeholder={w.everyStream}
          options={streams.map(({ id, hashtag, instance }) => ({
            value: String(id),
            label: `#${hashtag} ${instance}`,
          }))}
          onChange={(event) => setStream(event.target.value)}
        />
      </Field>
      <Button type="submit" icon={<Plus aria-hidden />} pending={adding.pending}>
        {w.addWord}
      </Button>
      {word.trim() === "" || adding.failure ? null : <Effect draft={draft} />}
    </form>
  );
}

/** Unreviewed posts that have the word. */
function Effect({ draft }: { draft: Draft }) {
  const text = useDryRun(`${PATH}?dry_run=true`, draft, (effect: WordEffect) =>
    w.wordEffect(effect.waiting, effect.complete),
  );
  return (
    <p role="status" className="text-13 text-muted desk:col-span-3">
      {text}
    </p>
  );
}

function RemoveButton({ entry }: { entry: ClassifyWord }) {
  const remove = useMutation<ClassifyWord>(({ id }) => apiFetch(`${PATH}/${id}`, { method: "DELETE" }), {
    refresh: [PATH],
    onDone: (_answer, { word }) => notifyDone(w.wordRemoved(word)),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return (
    <IconButton
      label={w.removeWord(entry.word)}
      icon={<X />}
      pending={remove.pending}
      onClick={() => void remove.run(entry)}
    />
  );
}
