"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const fieldErrors = {
  form: "Change something first.",
  current_password: "Enter your current password.",
  new_password: "Use 10 to 256 characters that are not easy to guess, such as a sentence of your own.",
  revoke_keys: "Switch it on or off.",
} as const;

/** Members with a provider set their first one. */
export function PasswordPanel({
  hasPassword,
  email,
  keys,
}: {
  hasPassword: boolean;
  email: string;
  /** Number of the member's active API keys. */
  keys: number;
}) {
  const router = useRouter();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [revokeKeys, setRevokeKeys] = useState(false);
  const save = useMutation<void>(
    () =>
      apiFetch("/profile/password", {
        method: "POST",
        body: {
          ...(hasPassword ? { current_password: current } : {}),
          new_password: next,
          revoke_keys: revokeKeys,
        },
      }),
    {
      refresh: ["/profile/sessions", "/api-keys*", "/members/links"],
      onDone: () => {
        setCurrent("");
        setNext("");
        setRevokeKeys(false);
        notifyDone("Password changed");
        router.refresh();
      },
    },
  );
  const errors = formErrors(fieldErrors, save.failure);
  const refusal = errors.at("current_password") ?? errors.form;
  return (
    <Panel
      title="Password"
      description={
        hasPassword
          ? "Ends all your other sessions."
          : "You sign in through another service. With a password you can also sign in without it."
      }
    >
      <form
        className="flex max-w-md flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword ? (
          <Field label="Current password" error={refusal} required>
            <Input
              type="password"
              value={current}
              autoComplete="current-password"
              maxLength={256}
              required
              onChange={(event) => setCurrent(event.target.value)}
            />
          </Field>
        ) : null}
        <Field
          label="New password"
          hint="At least 10 characters. A short sentence works well."
          error={errors.at("new_password") ?? (hasPassword ? undefined : refusal)}
          required
        >
          <Input
            type="password"
            value={next}
            autoComplete="new-password"
            minLength={10}
            maxLength={256}
            required
            onChange={(event) => setNext(event.target.value)}
          />
        </Field>
        {keys > 0 ? (
          <Checkbox
            label={keys === 1 ? "Also revoke my API key" : `Also revoke my ${keys} API keys`}
            hint="And end the open links that I made. Choose this if another person may have used the account."
            checked={revokeKeys}
            onChange={(event) => setRevokeKeys(event.target.checked)}
          />
        ) : null}
        <Button type="submit" variant="primary" pending={save.pending} className="self-start">
          {hasPassword ? "Change password" : "Set password"}
        </Button>
      </form>
    </Panel>
  );
}
