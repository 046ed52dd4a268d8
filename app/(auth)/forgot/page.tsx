import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { isMailSetUp } from "#lib/accounts/mail.ts";

export const metadata: Metadata = { title: "Forgot password?" };

export default async function ForgotPage({ searchParams }: { searchParams: SearchParams }) {
  const isSent = (await parameter(searchParams, "sent")) !== undefined;
  if (isSent || !isMailSetUp())
    return (
      <>
        <AuthHeading title={isSent ? "Look into your mailbox" : "Forgot password?"}>
          {isSent
            ? "If an account has this address, a link is sent to it within a minute. It is valid for an hour. Another request within five minutes sends nothing."
            : "Ask an admin for a reset link."}
        </AuthHeading>
        <ButtonLink href="/sign-in" size="touch" className="w-full">
          Go to sign-in
        </ButtonLink>
      </>
    );
  return (
    <>
      <AuthHeading title="Forgot password?">
        Enter the e-mail address of your account. A link for a new password is sent there.
      </AuthHeading>
      <AuthForm
        to="forgot"
        hidden={{}}
        fields={[{ name: "email", label: "E-mail", autoComplete: "username" }]}
        submit="Send link"
        error={await parameter(searchParams, "error")}
      />
    </>
  );
}
