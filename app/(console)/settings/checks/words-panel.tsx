import { Plus } from "lucide-react";
import { ActionButton, ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Input } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { ClassifyWord } from "#lib/checks/words/word-list.ts";
import { addWord, removeWord } from "../actions.ts";

export function WordsPanel({ words }: { words: ClassifyWord[] }) {
  return (
    <ListPanel
      title="Rejected words"
      description="Whole words or phrases, in any letter case. One match makes the checks advise rejection."
      rows={words.map(({ id, word, created_at }) => ({
        key: id,
        title: <bdi>{word}</bdi>,
        facts: [["added ", <RelativeTime key="added" at={created_at} />]],
        actions: (
          <ActionButton action={removeWord} fields={{ id, word }} size="sm" aria-label={`Remove “${word}”`}>
            Remove
          </ActionButton>
        ),
      }))}
      empty="No rejected words. Posts with these words are marked for rejection."
    >
      <ActionForm
        action={addWord}
        errors={{
          word: "Enter a word or phrase of at most 100 characters.",
        }}
        clears
        className="grid items-start gap-3 desk:grid-cols-[1fr_auto]"
      >
        <ActionField name="word" whole label="Word or phrase" hideLabel required>
          <Input name="word" placeholder="Word or phrase" maxLength={100} autoComplete="off" />
        </ActionField>
        <SubmitButton icon={<Plus aria-hidden />}>Add</SubmitButton>
      </ActionForm>
    </ListPanel>
  );
}
