import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/states.tsx";
import { hasMembers } from "#lib/accounts/accounts.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { callbackPath } from "#lib/accounts/callback-path.ts";
import { currentMember } from "#lib/accounts/current-member.ts";
import { isMailSetUp } from "#lib/accounts/mail.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const callbackUrl = callbackPath(await parameter(searchParams, "callbackUrl"));
  const error = await parameter(searchParams, "error");
  if (error === undefined && (await currentMember()) !== null) redirect(callbackUrl);
  const settled = await hasMembers();
  return (
    <>
      <AuthHeading title="Sign in">Sign in to review posts and manage the queue.</AuthHeading>
      {settled ? null : (
        <Notice tone="info" className="mb-4">
          No account exists yet. Open the link that Sluice printed when it started; on Vercel it is in the log
          of the build.
        </Notice>
      )}
      <AuthForm
        to="callback/credentials"
        hidden={{ callbackUrl }}
        fields={[
          { name: "email", label: "E-mail", autoComplete: "username" },
          { name: "password", label: "Password", autoComplete: "current-password" },
        ]}
        submit="Sign in"
        error={error}
      />
      <ProviderButtons providers={configuredProviders()} callbackUrl={callbackUrl} />
      {isMailSetUp() ? (
        <p className="mt-5 text-14">
          <Link href="/forgot">Forgot password?</Link>
        </p>
      ) : (
        <p className="mt-5 text-12 text-muted">Forgot your password? Ask an admin for a reset link.</p>
      )}
    </>
  );
}
