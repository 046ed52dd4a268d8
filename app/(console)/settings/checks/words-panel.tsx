import { Plus, X } from "lucide-react";
import { ActionButton, ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Input } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { actionsColumn, TablePanel } from "#components/ui/table-panel.tsx";
import type { ClassifyWord } from "#lib/checks/words/schema.ts";
import { addWord, removeWord } from "../actions.ts";

export function WordsPanel({ words }: { words: ClassifyWord[] }) {
  return (
    <TablePanel
      title="Rejected words"
      description="Whole words or phrases, in any letter case. One match makes the checks advise rejection."
      density="compact"
      columns={[
        {
          key: "word",
          header: "Word or phrase",
          primary: true,
          wrap: true,
          cell: ({ word }) => <bdi>{word}</bdi>,
        },
        {
          key: "added",
          header: "Added",
          width: "8rem",
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
        actionsColumn<ClassifyWord>(
          "4rem",
          ({ id, word }) => (
            <ActionButton action={removeWord} fields={{ id, word }} label={`Remove “${word}”`} icon={<X />} />
          ),
          { isIcon: true },
        ),
      ]}
      rows={words}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No rejected words" className="py-8">
          Posts with these words are marked for rejection.
        </EmptyState>
      }
    >
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
    </TablePanel>
  );
}
