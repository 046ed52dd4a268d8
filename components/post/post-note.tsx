"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Post } from "#lib/review/post-schema.ts";

export function PostNote({ post }: { post: Pick<Post, "id" | "reviewer_notes"> }) {
  const router = useRouter();
  const stored = post.reviewer_notes ?? "";
  /** Null until changed. */
  const [written, setWritten] = useState<string | null>(null);
  const note = written ?? stored;
  const changed = note !== stored;
  const save = useMutation<void>(
    () =>
      apiFetch(`/posts/${post.id}`, {
        method: "PATCH",
        body: { reviewer_notes: note.trim() === "" ? null : note },
      }),
    {
      onDone: () => {
        notifyDone("Saved");
        setWritten(null);
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
        if (changed) void save.run();
      }}
    >
      <Field label="Note" hint="Visible to reviewers, never to boost bots.">
        <Textarea value={note} maxLength={2000} onChange={(event) => setWritten(event.target.value)} />
      </Field>
      <Button type="submit" size="sm" className="self-start" disabled={!changed} pending={save.pending}>
        Save note
      </Button>
    </form>
  );
}
