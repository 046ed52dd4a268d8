"use client";
import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { undoById } from "#components/actions/undo-store.ts";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { act } from "#lib/client/actions.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Stream } from "#lib/streams/schema.ts";

const w = words.consentList;
type Change = { add: string } | { remove: string };
/** With the id of the action, for its undo. */
type Made = { answer: Stream; id: string };

/** The account in the form that the server stores. */
const stored = (account: string) => `@${account.trim().replace(/^@/, "").toLowerCase()}`;

export function ConsentList({ stream }: { stream: Stream }) {
  const path = `/streams/${stream.id}`;
  const [account, setAccount] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const change = async (wanted: Change): Promise<Made> => {
    // Read again, because another admin may have changed the list.
    const { consent_list: present } = await apiFetch<Stream>(path);
    const consent_list =
      "add" in wanted ? [...present, wanted.add] : present.filter((entry) => entry !== wanted.remove);
    return act<Stream>(path, { method: "PATCH", body: { consent_list } });
  };
  const refresh = ["/streams*"];
  const add = useMutation<Change, Made>(change, {
    refresh,
    onDone: ({ id }) => {
      notifyDone(w.added(stored(account)), { undo: () => undoById(id) });
      setAccount("");
      field.current?.focus();
    },
  });
  const remove = useMutation<string, Made>((entry) => change({ remove: entry }), {
    refresh,
    onDone: ({ id }, entry) => {
      notifyDone(w.removed(entry), { undo: () => undoById(id) });
      field.current?.focus();
    },
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  const isKnown = account.trim() !== "" && stream.consent_list.includes(stored(account));
  const errors = formErrors("stream", add.failure);
  const refusal = errors.at("consent_list") ?? errors.form;
  return (
    <Panel title={w.title} description={w.hint} flush>
      <form
        className="grid items-start gap-3 px-4 py-3 desk:grid-cols-[minmax(0,24rem)_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isKnown) void add.run({ add: account });
        }}
      >
        <Field label={w.account} hideLabel error={isKnown ? w.known(stored(account)) : refusal} required>
          <Input
            ref={field}
            value={account}
            placeholder={w.placeholder}
            maxLength={600}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            required
            onChange={(event) => {
              setAccount(event.target.value);
              add.reset();
            }}
          />
        </Field>
        <Button
          type="submit"
          icon={<Plus aria-hidden />}
          pending={add.pending}
          className="justify-self-start"
        >
          {w.add}
        </Button>
      </form>
      {stream.consent_list.length === 0 ? (
        <EmptyState title={w.empty} className="border-t border-line py-8" />
      ) : (
        <ul
          aria-label={w.title}
          className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line"
        >
          {stream.consent_list.map((entry) => (
            <li key={entry} className="flex items-center justify-between gap-2 py-1 ps-4 pe-2">
              <bdi className="min-w-0 text-13 wrap-anywhere">{entry}</bdi>
              <IconButton
                label={w.remove(entry)}
                icon={<X />}
                disabled={remove.pending}
                onClick={() => void remove.run(entry)}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
