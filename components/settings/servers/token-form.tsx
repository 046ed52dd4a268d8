"use client";
import { useState, type RefObject } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { putToken, SERVERS } from "./put-token.ts";

const fieldErrors = {
  form: "Change something first.",
  instance: "Enter the name of a server on the public internet, such as mastodon.social.",
  token: "Paste the whole access token, without spaces.",
} as const;

export function TokenForm({
  server,
  onServer,
  tokenField,
}: {
  server: string;
  onServer: (server: string) => void;
  tokenField: RefObject<HTMLInputElement | null>;
}) {
  const [token, setToken] = useState("");
  const save = useMutation<{ host: string; token: string }, void>(
    ({ host, token: value }) => putToken(host, value),
    {
      refresh: [SERVERS, "/streams*"],
      onDone: (_nothing, { host }) => {
        notifyDone(`Token for ${host} saved`);
        setToken("");
        onServer("");
      },
    },
  );
  const errors = formErrors(fieldErrors, save.failure);
  return (
    <form
      className="grid items-start gap-3 border-b border-line px-4 py-3 desk:grid-cols-[1fr_1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run({ host: server.trim(), token: token.trim() });
      }}
    >
      <Field label="Server" error={errors.at("instance")} required>
        <Input
          value={server}
          placeholder="gts.example"
          maxLength={300}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          inputMode="url"
          required
          onChange={(event) => {
            onServer(event.target.value);
            save.reset();
          }}
        />
      </Field>
      <Field
        label="Access token"
        hint="Stored encrypted and never shown again."
        error={errors.at("token") ?? errors.form}
        required
      >
        <Input
          ref={tokenField}
          type="password"
          value={token}
          maxLength={4000}
          autoComplete="off"
          required
          onChange={(event) => {
            setToken(event.target.value);
            save.reset();
          }}
        />
      </Field>
      <Button type="submit" variant="primary" pending={save.pending} className="desk:mt-5.5">
        Save token
      </Button>
    </form>
  );
}
