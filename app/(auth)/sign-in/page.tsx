import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { hasMembers } from "#lib/accounts/accounts.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { callbackPath } from "#lib/accounts/callback-path.ts";
import { currentMember } from "#lib/accounts/current-member.ts";
import { isMailSetUp } from "#lib/accounts/transport.ts";

export const metadata: Metadata = { title: words.auth.signIn };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const callbackUrl = callbackPath(await parameter(searchParams, "callbackUrl"));
  const error = await parameter(searchParams, "error");
  if (error === undefined && (await currentMember()) !== null) redirect(callbackUrl);
  const settled = await hasMembers();
  return (
    <>
      <AuthHeading title={words.auth.signIn}>{words.auth.signInHint}</AuthHeading>
      {settled ? null : (
        <Notice tone="info" className="mb-4">
          {words.auth.noAccountYet}
        </Notice>
      )}
      <AuthForm
        to="callback/credentials"
        hidden={{ callbackUrl }}
        fields={[
          { name: "email", label: words.auth.email, autoComplete: "username" },
          { name: "password", label: words.auth.password, autoComplete: "current-password" },
        ]}
        submit={words.auth.signIn}
        error={error}
      />
      <ProviderButtons providers={configuredProviders()} callbackUrl={callbackUrl} />
      {isMailSetUp() ? (
        <p className="mt-5 text-14">
          <Link href="/forgot">{words.auth.forgot}</Link>
        </p>
      ) : (
        <p className="mt-5 text-12 text-muted">{words.auth.forgotten}</p>
      )}
    </>
  );
}
