"use client";
import { useState, type ReactElement } from "react";
import { Checkbox, Switch } from "#components/ui/choice.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field, FieldSet } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import {
  webhookEvents,
  type Webhook,
  type WebhookCreate,
  type WebhookEvent,
  type WebhookUpdate,
  type WebhookWithSecret,
} from "#lib/webhooks/schema.ts";

const w = words.webhooks;

export interface NamedKey {
  id: number;
  name: string;
  last_characters: string;
}

interface Draft {
  name: string;
  url: string;
  events: WebhookEvent[];
  enabled: boolean;
  /** Id, "" for none. */
  key: string;
}

const blank: Draft = { name: "", url: "", events: ["post.approved"], enabled: true, key: "" };

export interface WebhookDialogProps {
  /** Null to add one. */
  webhook: Webhook | null;
  /** For a new webhook: the key of an existing one stays. */
  keys?: readonly NamedKey[];
  trigger: ReactElement;
  onAdded?: (webhook: WebhookWithSecret) => void;
}

export function WebhookDialog({ webhook, keys = [], trigger, onAdded }: WebhookDialogProps) {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(blank);
  const form = `webhook-form-${webhook?.id ?? "new"}`;
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const save = useMutation<void, Webhook | WebhookWithSecret>(() => send(webhook, draft), {
    refresh: ["/webhooks*"],
    onDone: (saved) => {
      notifyDone(webhook === null ? w.added(saved.name) : w.changed(saved.name));
      change(false);
      if ("secret" in saved) onAdded?.(saved);
    },
  });
  function change(next: boolean) {
    setOpen(next);
    save.reset();
    if (next) setDraft(webhook === null ? blank : { ...webhook, key: "" });
  }
  const problems = formErrors("webhook", save.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={webhook === null ? w.add : w.editFor(webhook.name)}
      trigger={trigger}
      footer={
        <DialogButtons form={form} pending={save.pending} onCancel={() => change(false)}>
          {webhook === null ? w.add : words.common.save}
        </DialogButtons>
      }
    >
      <form
        id={form}
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.events.length > 0) void save.run();
        }}
      >
        {problems.form === undefined ? null : <Notice tone="reject">{problems.form}</Notice>}
        <Field label={w.name} error={problems.at("name")} required>
          <Input
            value={draft.name}
            placeholder={w.namePlaceholder}
            maxLength={100}
            autoComplete="off"
            required
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label={w.address} hint={w.addressHint} error={problems.at("url")} required>
          <Input
            value={draft.url}
            type="url"
            placeholder={w.addressPlaceholder}
            maxLength={2000}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            required
            onChange={(event) => set({ url: event.target.value })}
          />
        </Field>
        <FieldSet legend={w.events}>
          {webhookEvents.map((each) => (
            <Checkbox
              key={each}
              label={w.eventWords[each]}
              checked={draft.events.includes(each)}
              onChange={({ target }) =>
                set({
                  events: target.checked
                    ? [...draft.events, each]
                    : draft.events.filter((other) => other !== each),
                })
              }
            />
          ))}
          <p className="text-12 text-muted">{w.eventsOfInstallation}</p>
          <p role="alert" className="text-12 text-reject empty:hidden">
            {draft.events.length === 0 ? w.eventsMissing : problems.at("events")}
          </p>
        </FieldSet>
        {webhook === null ? (
          <Field label={w.key} hint={w.keyHint} error={problems.at("api_key_id")}>
            <Select
              value={draft.key}
              options={[
                { value: "", label: w.everyStream },
                ...keys.map((key) => ({
                  value: String(key.id),
                  label: `${key.name} (…${key.last_characters})`,
                })),
              ]}
              onChange={(event) => set({ key: event.target.value })}
            />
          </Field>
        ) : (
          <Switch
            label={w.enabled}
            checked={draft.enabled}
            onChange={(event) => set({ enabled: event.target.checked })}
          />
        )}
      </form>
    </Dialog>
  );
}

function send(webhook: Webhook | null, draft: Draft): Promise<Webhook | WebhookWithSecret> {
  const { events, enabled, key } = draft;
  const [name, url] = [draft.name.trim(), draft.url.trim()];
  if (webhook === null) {
    const body: WebhookCreate = { name, url, events, api_key_id: key === "" ? null : Number(key) };
    return apiFetch<WebhookWithSecret>("/webhooks", { method: "POST", body });
  }
  // `enabled: true` also ends a pause, so an unchanged value is not sent.
  const body: WebhookUpdate = { name, url, events, ...(enabled === webhook.enabled ? {} : { enabled }) };
  return apiFetch<Webhook>(`/webhooks/${webhook.id}`, { method: "PATCH", body });
}
