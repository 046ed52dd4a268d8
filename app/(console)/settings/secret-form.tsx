"use client";
import type { ReactNode } from "react";
import { ActionForm, FormNotice, type ActionFormProps } from "#components/ui/action-form.tsx";
import { CopyField, type CopyFieldProps } from "#components/ui/copy.tsx";

/** A form that creates a secret (a key or a link) and shows it above the fields until the user types. */
export function SecretForm({
  children,
  ...form
}: Omit<ActionFormProps<CopyFieldProps>, "children"> & { children: ReactNode }) {
  return (
    <ActionForm clears {...form}>
      {(result) => (
        <>
          <FormNotice />
          {result === undefined ? null : (
            <CopyField
              key={result.value}
              {...result}
              autoFocus
              className="w-full max-w-3xl rounded-md border border-accent p-3"
            />
          )}
          {children}
        </>
      )}
    </ActionForm>
  );
}
