"use client";
import { useId, useState } from "react";
import { undoById } from "#components/actions/undo-store.ts";
import { RadioGroup } from "#components/ui/choice.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { hostOf } from "#components/review/use-author-actions.ts";
import { words } from "#components/words/en.ts";
import type { BlockSuggestion } from "#lib/blocking/suggestion-schema.ts";
import { act } from "#lib/client/actions.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.blockQuestions;

export interface SuggestBlockProps {
  account: string;
  hashtags?: readonly string[];
  postId?: number;
}

export function SuggestDialog({
  account,
  hashtags = [],
  postId,
  onClose,
}: SuggestBlockProps & { onClose: () => void }) {
  const form = useId();
  const host = hostOf(account);
  const names = [account, host, ...hashtags.map((tag) => `#${tag}`)];
  const [name, setName] = useState(account);
  const [reason, setReason] = useState("");
  const send = useMutation<void, { answer: BlockSuggestion; id: string }>(
    () =>
      act("/block-suggestions", {
        method: "POST",
        body: {
          kind: name.startsWith("#") ? "hashtag" : "user",
          name,
          reason,
          ...(postId === undefined ? {} : { post_id: postId }),
        },
      }),
    {
      refresh: ["/block-suggestions*"],
      onDone: ({ answer, id }) => {
        notifyDone(w.suggested(answer.name), { undo: () => undoById(id) });
        onClose();
      },
    },
  );
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={words.post.suggestBlock}
      description={w.suggestHint}
      footer={
        <DialogButtons form={form} pending={send.pending} onCancel={onClose}>
          {w.suggestSend}
        </DialogButtons>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send.run();
        }}
      >
        <RadioGroup
          label={w.suggestWhat}
          value={name}
          onChange={setName}
          options={names.map((value) => ({
            value,
            label: <bdi className="wrap-anywhere">{value === host ? w.scopeDomain(host) : value}</bdi>,
          }))}
        />
        <Field label={w.reason} error={send.failure?.detail}>
          <Input
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
