"use client";
import { useState, type FormEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field, FieldSet } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import {
  webhookEvents,
  type WebhookCreate,
  type WebhookEvent,
  type WebhookWithSecret,
} from "#lib/webhooks/schema.ts";

const w = words.webhooks;

export interface NamedKey {
  id: number;
  name: string;
  last_characters: string;
}

export function AddWebhook({
  keys,
  onAdded,
}: {
  keys: NamedKey[];
  onAdded: (webhook: WebhookWithSecret) => void;
}) {
  const seesAll = useCan("admin");
  const about = [
    ...(seesAll ? [{ value: "", label: w.everyStream }] : []),
    ...keys.map((key) => ({ value: String(key.id), label: `${key.name} (…${key.last_characters})` })),
  ];
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [key, setKey] = useState(about[0]?.value ?? "");
  const [events, setEvents] = useState<WebhookEvent[]>(["post.approved"]);
  const add = useMutation<WebhookCreate, WebhookWithSecret>(
    (body) => apiFetch("/webhooks", { method: "POST", body }),
    {
      refresh: ["/webhooks*"],
      onDone: (made) => {
        notifyDone(w.added(made.name));
        onAdded(made);
        setName("");
        setUrl("");
      },
    },
  );
  const problems = formErrors("webhook", add.failure);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void add.run({ name: name.trim(), url: url.trim(), events, api_key_id: key === "" ? null : Number(key) });
  };
  return (
    <Panel title={w.add}>
      <form className="grid max-w-3xl items-start gap-4 desk:grid-cols-2" onSubmit={send}>
        <Field label={w.name} error={problems.at("name")} required>
          <Input
            value={name}
            placeholder={w.namePlaceholder}
            maxLength={100}
            required
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={w.address} hint={w.addressHint} error={problems.at("url")} required>
          <Input
            value={url}
            type="url"
            placeholder={w.addressPlaceholder}
            maxLength={2000}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            required
            onChange={(event) => {
              setUrl(event.target.value);
              add.reset();
            }}
          />
        </Field>
        <FieldSet legend={w.events}>
          {webhookEvents.map((event) => (
            <Checkbox
              key={event}
              label={w.eventWords[event]}
              checked={events.includes(event)}
              onChange={(change) =>
                setEvents(
                  change.target.checked ? [...events, event] : events.filter((each) => each !== event),
                )
              }
            />
          ))}
          <p role="alert" className="text-12 text-reject empty:hidden">
            {events.length === 0 ? w.eventsMissing : null}
          </p>
        </FieldSet>
        <Field label={w.key} hint={w.keyHint} error={problems.at("api_key_id")}>
          <Select value={key} options={about} onChange={(event) => setKey(event.target.value)} />
        </Field>
        <div className="space-y-3 desk:col-span-2">
          {problems.form === undefined ? null : <Notice tone="reject">{problems.form}</Notice>}
          <Button
            type="submit"
            variant="primary"
            pending={add.pending}
            disabled={events.length === 0 || about.length === 0}
          >
            {w.add}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
