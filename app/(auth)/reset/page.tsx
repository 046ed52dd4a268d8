import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { DeadLink } from "#components/auth/dead-link.tsx";
import { words } from "#components/words/en.ts";
import { readLink } from "#lib/accounts/links.ts";

export const metadata: Metadata = { title: words.auth.setPassword };

export default async function ResetPage({ searchParams }: { searchParams: SearchParams }) {
  const token = (await parameter(searchParams, "token")) ?? "";
  const link = await readLink("reset", token);
  if (link === null) return <DeadLink />;
  return (
    <>
      <AuthHeading title={words.auth.setPassword}>{words.auth.setPasswordHint}</AuthHeading>
      <AuthForm
        to="callback/link"
        hidden={{ kind: "reset", token, callbackUrl: "/" }}
        fields={[
          { name: "email", label: words.auth.email, autoComplete: "username", fixed: link.email ?? "" },
          {
            name: "password",
            label: words.auth.newPassword,
            hint: words.auth.passwordHint,
            autoComplete: "new-password",
          },
        ]}
        checkbox={
          link.api_keys === 0
            ? undefined
            : {
                name: "revoke_keys",
                label: words.auth.revokeKeys(link.api_keys),
                hint: words.auth.revokeKeysHint,
              }
        }
        submit={words.auth.setPassword}
        error={await parameter(searchParams, "error")}
      />
    </>
  );
}
