import { passwordHint } from "#components/words.ts";
import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { DeadLink } from "#components/auth/dead-link.tsx";
import { readLink } from "#lib/accounts/links.ts";

export const metadata: Metadata = { title: "Create the first account" };

export default async function SetupPage({ searchParams }: { searchParams: SearchParams }) {
  const token = (await parameter(searchParams, "token")) ?? "";
  if ((await readLink("setup", token)) === null)
    return (
      <DeadLink hint="It was already used or has expired. Restart Sluice, or deploy again on Vercel, to print a new one, as long as no account exists." />
    );
  return (
    <>
      <AuthHeading title="Create the first account">
        This account is an admin and can invite other members.
      </AuthHeading>
      <AuthForm
        to="callback/link"
        hidden={{ kind: "setup", token, callbackUrl: "/" }}
        fields={[
          { name: "name", label: "Name", hint: "Shown next to your decisions.", autoComplete: "name" },
          { name: "email", label: "E-mail", autoComplete: "username" },
          {
            name: "password",
            label: "Password",
            hint: passwordHint,
            autoComplete: "new-password",
          },
        ]}
        submit="Create account"
        error={await parameter(searchParams, "error")}
      />
    </>
  );
}
