import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { DeadLink } from "#components/auth/dead-link.tsx";
import { words } from "#components/words/en.ts";
import { readLink } from "#lib/accounts/links.ts";

export const metadata: Metadata = { title: words.auth.createFirstAccount };

export default async function SetupPage({ searchParams }: { searchParams: SearchParams }) {
  const token = (await parameter(searchParams, "token")) ?? "";
  if ((await readLink("setup", token)) === null) return <DeadLink hint={words.auth.setupDoneHint} />;
  return (
    <>
      <AuthHeading title={words.auth.createFirstAccount}>{words.auth.createFirstAccountHint}</AuthHeading>
      <AuthForm
        to="callback/link"
        hidden={{ kind: "setup", token, callbackUrl: "/" }}
        fields={[
          { name: "name", label: words.auth.name, hint: words.auth.nameHint, autoComplete: "name" },
          { name: "email", label: words.auth.email, autoComplete: "username" },
          {
            name: "password",
            label: words.auth.password,
            hint: words.auth.passwordHint,
            autoComplete: "new-password",
          },
        ]}
        submit={words.auth.createAccount}
        error={await parameter(searchParams, "error")}
      />
    </>
  );
}
