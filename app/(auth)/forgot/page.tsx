import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import { isMailSetUp } from "#lib/accounts/transport.ts";

export const metadata: Metadata = { title: words.auth.forgot };

export default async function ForgotPage({ searchParams }: { searchParams: SearchParams }) {
  const isSent = (await parameter(searchParams, "sent")) !== undefined;
  if (isSent || !isMailSetUp())
    return (
      <>
        <AuthHeading title={isSent ? words.auth.resetSent : words.auth.forgot}>
          {isSent ? words.auth.resetSentHint : words.auth.forgotten}
        </AuthHeading>
        <ButtonLink href="/sign-in" size="touch" className="w-full">
          {words.auth.goToSignIn}
        </ButtonLink>
      </>
    );
  return (
    <>
      <AuthHeading title={words.auth.forgot}>{words.auth.forgotHint}</AuthHeading>
      <AuthForm
        to="forgot"
        hidden={{}}
        fields={[{ name: "email", label: words.auth.email, autoComplete: "username" }]}
        submit={words.auth.sendReset}
        error={await parameter(searchParams, "error")}
      />
    </>
  );
}
