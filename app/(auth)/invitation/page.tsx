import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { DeadLink } from "#components/auth/dead-link.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { words } from "#components/words/en.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { readLink } from "#lib/accounts/links.ts";

export const metadata: Metadata = { title: words.auth.acceptInvitation };

export default async function InvitationPage({ searchParams }: { searchParams: SearchParams }) {
  const token = (await parameter(searchParams, "token")) ?? "";
  const link = await readLink("invite", token);
  if (link === null) return <DeadLink />;
  return (
    <>
      <AuthHeading title={words.auth.acceptInvitation}>
        {words.auth.invitedAs} {words.shell.roles[link.role ?? "viewer"].toLowerCase()}.
      </AuthHeading>
      <AuthForm
        to="callback/link"
        hidden={{ kind: "invitation", token, callbackUrl: "/" }}
        fields={[
          { name: "email", label: words.auth.email, autoComplete: "username", fixed: link.email ?? "" },
          { name: "name", label: words.auth.name, hint: words.auth.nameHint, autoComplete: "name" },
          {
            name: "password",
            label: words.auth.password,
            hint: words.auth.passwordHint,
            autoComplete: "new-password",
          },
        ]}
        submit={words.auth.acceptInvitation}
        error={await parameter(searchParams, "error")}
      />
      <ProviderButtons providers={configuredProviders()} callbackUrl="/" />
    </>
  );
}
