"use client";
import { useRef, useState, type SubmitEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { revokeKeysHint } from "#components/words.ts";
import { errorWords } from "./error-words.ts";

export interface AuthField {
  name: "email" | "name" | "password";
  label: string;
  hint?: string;
  autoComplete: "username" | "name" | "current-password" | "new-password";
  /** Value of a read-only field. */
  fixed?: string;
}

export interface AuthFormProps {
  /** Path below /api/auth. */
  to: "callback/credentials" | "callback/link" | "forgot" | `signin/${string}`;
  fields: readonly AuthField[];
  hidden: Record<string, string>;
  /** Label of the choice to revoke the member's keys. */
  revokesKeys?: string | undefined;
  submit: string;
  /** Error code with which the page was loaded. */
  error?: string | undefined;
}

/**
 * Posts the form. Returns the address to open next, or an error code. It needs no CSRF token, because the server checks
 * the browser's origin headers.
 */
async function post(path: string, fields: FormData): Promise<{ to: string } | { refused: string }> {
  fields.set("json", "true");
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    body: new URLSearchParams(fields as unknown as Record<string, string>),
  });
  const { url } = (await response.json()) as { url?: unknown };
  if (typeof url !== "string") return { refused: "" };
  const target = new URL(url, window.location.href);
  const error = target.searchParams.get("error");
  if (error !== null && /\/(api\/auth\/|sign-in|forgot)/.test(target.pathname)) return { refused: error };
  // A path keeps the host name of the page.
  return { to: path.startsWith("signin/") ? target.href : target.pathname + target.search + target.hash };
}

/** A form of next-auth. It works without scripts; with scripts, the fields keep their values after an error. */
export function AuthForm({ to, fields, hidden, revokesKeys, submit, error }: AuthFormProps) {
  const [refused, setRefused] = useState(error);
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    setPending(true);
    setRefused(undefined);
    const filled = new FormData(event.currentTarget);
    const outcome = await post(to, filled).catch(() => ({ refused: "" }));
    if ("to" in outcome) {
      // A full page load drops content rendered before the sign-in.
      window.location.assign(outcome.to);
      return;
    }
    setPending(false);
    setRefused(outcome.refused);
    const password = form.current?.querySelector<HTMLInputElement>("input[name=password]");
    password?.focus();
    password?.select();
  }

  return (
    <form
      ref={form}
      method="post"
      // The browser's bubble would cover the button.
      noValidate
      action={`/api/auth/${to}`}
      onSubmit={(event) => void send(event)}
      className="flex flex-col gap-4"
    >
      {refused === undefined ? null : <Notice tone="reject">{errorWords(refused)}</Notice>}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields.map((field, index) => (
        <Field key={field.name} label={field.label} hint={field.hint} required>
          <Input
            name={field.name}
            type={field.name === "name" ? "text" : field.name}
            autoComplete={field.autoComplete}
            autoCapitalize={field.name === "name" ? "words" : "none"}
            spellCheck={false}
            maxLength={field.name === "password" ? 256 : field.name === "email" ? 254 : 100}
            minLength={field.autoComplete === "new-password" ? 10 : undefined}
            autoFocus={index === fields.findIndex((each) => each.fixed === undefined)}
            {...(field.fixed === undefined ? {} : { defaultValue: field.fixed, readOnly: true })}
          />
        </Field>
      ))}
      {revokesKeys === undefined ? null : (
        <Checkbox name="revoke_keys" label={revokesKeys} hint={revokeKeysHint} />
      )}
      <Button
        type="submit"
        variant={fields.length > 0 ? "primary" : "quiet"}
        size="touch"
        pending={pending}
        className="mt-1 w-full"
      >
        {submit}
      </Button>
    </form>
  );
}
