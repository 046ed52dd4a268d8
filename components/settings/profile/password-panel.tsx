"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings;

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
        notifyDone(w.passwordChanged);
        router.refresh();
      },
    },
  );
  const errors = formErrors("passwordChange", save.failure);
  const refusal = errors.at("current_password") ?? errors.form;
  return (
    <Panel title={w.password} description={hasPassword ? w.passwordChangeHint : w.passwordSetHint}>
      <form
        className="flex max-w-md flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword ? (
          <Field label={w.currentPassword} error={refusal} required>
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
          label={w.newPassword}
          hint={w.newPasswordHint}
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
            label={w.revokeKeys(keys)}
            hint={w.revokeKeysHint}
            checked={revokeKeys}
            onChange={(event) => setRevokeKeys(event.target.checked)}
          />
        ) : null}
        <Button type="submit" variant="primary" pending={save.pending} className="self-start">
          {hasPassword ? w.changePassword : w.setPassword}
        </Button>
      </form>
    </Panel>
  );
}
