import { passwordHint, roles } from "#components/words.ts";
import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { DeadLink } from "#components/auth/dead-link.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { readLink } from "#lib/accounts/links.ts";

export const metadata: Metadata = { title: "Accept invitation" };

export default async function InvitationPage({ searchParams }: { searchParams: SearchParams }) {
  const token = (await parameter(searchParams, "token")) ?? "";
  const link = await readLink("invite", token);
  if (link === null) return <DeadLink />;
  return (
    <>
      <AuthHeading title="Accept invitation">
        You are invited as {roles[link.role ?? "viewer"].toLowerCase()}.
      </AuthHeading>
      <AuthForm
        to="callback/link"
        hidden={{ kind: "invitation", token, callbackUrl: "/" }}
        fields={[
          { name: "email", label: "E-mail", autoComplete: "username", fixed: link.email ?? "" },
          { name: "name", label: "Name", hint: "Shown next to your decisions.", autoComplete: "name" },
          {
            name: "password",
            label: "Password",
            hint: passwordHint,
            autoComplete: "new-password",
          },
        ]}
        submit="Accept invitation"
        error={await parameter(searchParams, "error")}
      />
      <ProviderButtons providers={configuredProviders()} callbackUrl="/" />
    </>
  );
}
