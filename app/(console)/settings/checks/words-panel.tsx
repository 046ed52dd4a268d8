"use client";
import { Plus, X } from "lucide-react";
import { useCan } from "#components/shell/member-context.tsx";
import { ActionButton, ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Input } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { ClassifyWord } from "#lib/checks/words/schema.ts";
import { addWord, removeWord } from "../actions.ts";

export function WordsPanel({ words }: { words: ClassifyWord[] }) {
  const mayManage = useCan("admin");
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
          <ActionButton
            action={removeWord}
            fields={{ id: entry.id, word: entry.word }}
            label={`Remove “${entry.word}”`}
            icon={<X />}
          />
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
      {mayManage ? (
        <ActionForm
          action={addWord}
          errors={{
            form: "Change something first.",
            word: "Enter a word or phrase of at most 100 characters.",
          }}
          clears
          className="grid items-start gap-3 border-b border-line px-4 py-3 desk:grid-cols-[1fr_auto]"
        >
          <ActionField name="word" whole label="Word or phrase" hideLabel required>
            <Input name="word" placeholder="Word or phrase" maxLength={100} autoComplete="off" />
          </ActionField>
          <SubmitButton icon={<Plus aria-hidden />}>Add</SubmitButton>
        </ActionForm>
      ) : null}
      <DataTable
        caption="Rejected words"
        columns={columns}
        rows={words}
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
