"use client";
import { Check, KeyRound } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import {
  ActionButton,
  ActionErrors,
  ActionField,
  ActionForm,
  FormNotice,
} from "#components/ui/action-form.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { useNow } from "#components/ui/clock-context.tsx";
import { CodeBlock, CopyField } from "#components/ui/copy.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { Link } from "#components/ui/link.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { scopeWords } from "#components/words.ts";
import type { ApiKey, GeneratedKey } from "#lib/accounts/key-schema.ts";
import type { Scope } from "#lib/base/http/permissions.ts";
import { generateKey, revokeKey } from "../actions.ts";
import { curlLines } from "./curl-lines.ts";
import { Scopes, streamNames, type NamedStream } from "./key-facts.tsx";

export interface KeysBoardProps {
  keys: ApiKey[];
  streams: readonly NamedStream[];
  scopes: readonly Scope[];
  publicUrl: string;
}

export function KeysBoard({ keys, streams, scopes, publicUrl }: KeysBoardProps) {
  const [made, setMade] = useState<GeneratedKey>();
  const seesAll = useMember().role === "admin";
  const now = useNow();
  return (
    <>
      {made ? (
        <NewKey key={made.id} made={made} publicUrl={publicUrl} onClose={() => setMade(undefined)} />
      ) : null}
      <ListPanel
        title="Keys"
        description="Programs use a key to sign in. A key never has more rights than its owner."
        actions={<GenerateKey streams={streams} scopes={scopes} onDone={setMade} />}
        rows={keys.map((key) => {
          const { id, name, prefix, last_characters: end, expires_at } = key;
          const isExpired = expires_at !== null && Date.parse(expires_at) <= now;
          return {
            key: id,
            title: [
              <span key="name" id={`key-${id}`} className="scroll-mt-16">
                <Link href={`/settings/keys/${id}`}>{name}</Link>
              </span>,
              <code key="code" className="ms-2 font-mono text-12 font-normal text-muted">
                {prefix}…{end}
              </code>,
            ],
            facts: [
              isExpired && <StatePill state="expired" />,
              <Scopes key="scopes" of={key} />,
              streamNames(key.stream_ids, streams),
              key.last_asked_at === null
                ? "never asked"
                : ["asked ", <RelativeTime key="asked" at={key.last_asked_at} />],
              expires_at === null ? "no expiry" : ["expires ", <Expiry key="until" at={expires_at} />],
              seesAll && `by ${key.created_by}`,
            ],
            actions: (
              <ActionButton
                action={revokeKey}
                fields={{ id, name }}
                ask={{
                  title: `Revoke ${name} (…${end})`,
                  description: "It stops working immediately. This cannot be undone.",
                  confirm: "Revoke",
                }}
                size="sm"
                aria-label={`Revoke ${name} …${end}`}
              >
                Revoke
              </ActionButton>
            ),
          };
        })}
        empty="No API keys yet. A boost bot needs one to take approved posts."
      />
    </>
  );
}

const errors = {
  form: "Change something first.",
  name: "Enter a name of at most 100 characters.",
  scopes: "Choose at least one permission.",
  stream_ids: "A chosen stream was deleted. Open this again.",
  expires_at: "Choose a day in the future.",
} as const;

function GenerateKey({
  streams,
  scopes,
  onDone,
}: Pick<KeysBoardProps, "streams" | "scopes"> & { onDone: (made: GeneratedKey | undefined) => void }) {
  const [open, setOpen] = useDialogParam("generate");
  const form = useId();
  const made = useRef(false);
  // The least that most programs need.
  const first = scopes.includes("consume") ? "consume" : "read";
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Generate an API key"
      description="Grant only the scopes that the program needs."
      onCloseAutoFocus={(event) => {
        // The new key's panel takes the focus itself.
        if (made.current) event.preventDefault();
        made.current = false;
      }}
      trigger={
        <Button variant="primary" icon={<KeyRound aria-hidden />}>
          Generate key
        </Button>
      }
      footer={
        <DialogButtons form={form} onCancel={() => setOpen(false)}>
          Generate key
        </DialogButtons>
      }
    >
      <ActionForm
        id={form}
        action={generateKey}
        errors={errors}
        onDone={(key) => {
          made.current = true;
          setOpen(false);
          onDone(key);
        }}
        className="space-y-5"
      >
        <FormNotice />
        <ActionField name="name" label="Name" hint="The program that uses it, such as Boost bot" required>
          <Input name="name" maxLength={100} autoComplete="off" required />
        </ActionField>
        <FieldSet legend="Scopes">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              name="scopes"
              value={scope}
              label={scopeWords[scope].name}
              hint={scopeWords[scope].hint}
              defaultChecked={scope === first}
            />
          ))}
          <ActionErrors name="scopes" />
        </FieldSet>
        {streams.length === 0 ? null : (
          <FieldSet legend="Streams">
            <p className="text-12 text-muted">
              The key receives posts from the chosen streams only. None chosen: from all.
            </p>
            <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded-md border border-line-strong px-3 py-2.5">
              {streams.map(({ id, hashtag, instance }) => (
                <Checkbox
                  key={id}
                  name="stream_ids"
                  value={id}
                  label={
                    <span className="wrap-anywhere">
                      #{hashtag} <span className="text-muted">{instance}</span>
                    </span>
                  }
                />
              ))}
            </div>
            <ActionErrors name="stream_ids" />
          </FieldSet>
        )}
        <ActionField
          name="expires_at"
          label="Last day"
          hint="In your time zone. Empty: it does not expire."
          optional
        >
          <Input type="date" name="expires_at" />
        </ActionField>
      </ActionForm>
    </Dialog>
  );
}

function NewKey({
  made,
  publicUrl,
  onClose,
}: {
  made: GeneratedKey;
  publicUrl: string;
  onClose: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div
      ref={place}
      tabIndex={-1}
      role="region"
      aria-label={`${made.name} is ready`}
      className="rounded-lg focus-visible:outline-none"
    >
      <Panel
        title={`${made.name} is ready`}
        actions={
          <Button variant="primary" icon={<Check aria-hidden />} onClick={onClose}>
            I have stored it
          </Button>
        }
        className="border-accent"
      >
        <CopyField
          label="API key"
          value={made.api_key}
          hint="Shown only once. Store it with your program's secrets."
          className="max-w-3xl"
        />
        <h3 className="mt-6 mb-2 text-14 font-semibold">Try it</h3>
        <CodeBlock label="curl" code={curlLines(publicUrl, made.api_key, made.scopes)} />
        {made.scopes.includes("consume") ? (
          <p className="mt-3 text-13 text-muted">
            <Link href="#connect">How boost bots connect</Link>
          </p>
        ) : null}
      </Panel>
    </div>
  );
}
