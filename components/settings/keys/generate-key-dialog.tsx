"use client";
import { KeyRound } from "lucide-react";
import { useRef, useState } from "react";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import type { GeneratedKey } from "#lib/accounts/key-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { ScopeChoices, StreamChoices } from "./key-choices.tsx";
import type { NamedStream, ScopeName } from "./key-facts.ts";

const fieldErrors = {
  form: "Change something first.",
  name: "Enter a name of at most 100 characters.",
  scopes: "Choose at least one permission.",
  stream_ids: "Choose at least one stream, or all.",
  expires_at: "Choose a day in the future.",
} as const;

const FORM = "generate-key";

interface Draft {
  name: string;
  scopes: ScopeName[];
  /** Null for all streams. */
  streams: number[] | null;
  /** Days, "" for never, "day" for the date in `lastDay`. */
  expiry: string;
  lastDay: string;
}

/** The least that most programs need. */
function blank(scopes: readonly ScopeName[]): Draft {
  const first = scopes.includes("consume") ? "consume" : "read";
  return { name: "", scopes: [first], streams: null, expiry: "", lastDay: "" };
}

function bodyOf({ name, scopes, streams, expiry, lastDay }: Draft) {
  const end =
    expiry === "day"
      ? new Date(`${lastDay}T23:59:59`)
      : expiry === ""
        ? null
        : new Date(Date.now() + Number(expiry) * 86_400_000);
  return { name, scopes, stream_ids: streams ?? [], expires_at: end?.toISOString() ?? null };
}

export interface GenerateKeyDialogProps {
  streams: NamedStream[];
  scopes: ScopeName[];
  onGenerated: (key: GeneratedKey) => void;
}

export function GenerateKeyDialog({ streams, scopes, onGenerated }: GenerateKeyDialogProps) {
  const [open, setOpen] = useDialogParam("generate");
  const [draft, setDraft] = useState(() => blank(scopes));
  const [tried, setTried] = useState(false);
  const made = useRef(false);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const generate = useMutation<void, GeneratedKey>(
    () => apiFetch("/api-keys/generate", { method: "POST", body: bodyOf(draft) }),
    {
      refreshPage: true,
      onDone: (key) => {
        made.current = true;
        change(false);
        onGenerated(key);
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    generate.reset();
    setTried(false);
    if (next) setDraft(blank(scopes));
  }
  const errors = formErrors(fieldErrors, generate.failure);
  const scopesWrong = tried && draft.scopes.length === 0 ? "Choose at least one." : errors.at("scopes");
  const streamsWrong =
    tried && draft.streams?.length === 0 ? "Choose at least one stream." : errors.at("stream_ids");
  return (
    <Dialog
      open={open}
      onOpenChange={change}
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
        <DialogButtons form={FORM} pending={generate.pending} onCancel={() => change(false)}>
          Generate key
        </DialogButtons>
      }
    >
      <form
        id={FORM}
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (draft.scopes.length > 0 && draft.streams?.length !== 0) void generate.run();
        }}
      >
        {errors.form ? <Notice tone="reject">{errors.form}</Notice> : null}
        <Field
          label="Name"
          hint="The program that uses it, such as Boost bot"
          error={errors.at("name")}
          required
        >
          <Input
            value={draft.name}
            maxLength={100}
            autoComplete="off"
            required
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <ScopeChoices
          offered={scopes}
          chosen={draft.scopes}
          error={scopesWrong}
          onChange={(chosen) => set({ scopes: chosen })}
        />
        <StreamChoices
          streams={streams}
          chosen={draft.streams}
          error={streamsWrong}
          onChange={(chosen) => set({ streams: chosen })}
        />
        <div className="grid gap-4 desk:grid-cols-2">
          <Field label="Expires" error={errors.at("expires_at")}>
            <Select
              value={draft.expiry}
              onChange={(event) => set({ expiry: event.target.value })}
              options={[
                { value: "", label: "Never" },
                { value: "30", label: `In ${30} days` },
                { value: "90", label: `In ${90} days` },
                { value: "365", label: "In a year" },
                { value: "day", label: "On a day" },
              ]}
            />
          </Field>
          {draft.expiry === "day" ? (
            <Field label="Last day" required>
              <Input
                type="date"
                value={draft.lastDay}
                required
                onChange={(event) => set({ lastDay: event.target.value })}
              />
            </Field>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}
