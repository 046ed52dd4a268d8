"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import {
  MAX_NOTE,
  noteOf,
  readNoteKey,
  withDiscarded,
  withRestored,
  withStored,
} from "#lib/client/desk/note.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Post } from "#lib/review/post-schema.ts";

export function PostNote({ post }: { post: Pick<Post, "id" | "reviewer_notes"> }) {
  const router = useRouter();
  const stored = post.reviewer_notes ?? "";
  const [note, setNote] = useState(() => noteOf(stored));
  if (note.saved !== stored) setNote(withStored(note, stored));
  const tooLong = [...note.text].length > MAX_NOTE;
  const changed = note.text !== stored;
  const save = useMutation<void>(
    () =>
      apiFetch(`/posts/${post.id}`, {
        method: "PATCH",
        body: { reviewer_notes: note.text.trim() === "" ? null : note.text },
      }),
    {
      onDone: () => {
        notifyDone("Saved");
        router.refresh();
      },
      onFailed: (failure) => notifyFailed("The changes were not saved", failure),
    },
  );
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !tooLong) void save.run();
      }}
    >
      <Field
        label="Note"
        hint="Visible to reviewers, never to boost bots. Enter saves, Shift-Enter starts a new line, Escape discards, Ctrl-Z restores a discarded text."
        error={tooLong ? "At most 2,000 characters" : undefined}
      >
        <Textarea
          value={note.text}
          onChange={(event) => setNote({ ...note, text: event.target.value })}
          onKeyDown={(event) => {
            const key = readNoteKey(event.nativeEvent, note);
            // The page does not decide: Ctrl-Enter saves.
            if (key === null || key === "reject") return;
            event.preventDefault();
            if (key === "save" || key === "approve") event.currentTarget.form?.requestSubmit();
            else setNote(key === "discard" ? withDiscarded(note) : (withRestored(note) ?? note));
          }}
        />
      </Field>
      <Button type="submit" size="sm" className="self-start" disabled={!changed} pending={save.pending}>
        Save note
      </Button>
    </form>
  );
}
