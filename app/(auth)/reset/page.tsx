import { passwordHint } from "#components/words.ts";
import type { Metadata } from "next";
import { parameter, type SearchParams } from "#app/(auth)/search-params.ts";
import { AuthForm } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { DeadLink } from "#components/auth/dead-link.tsx";
import { readLink } from "#lib/accounts/links.ts";

export const metadata: Metadata = { title: "Set password" };

export default async function ResetPage({ searchParams }: { searchParams: SearchParams }) {
  const token = (await parameter(searchParams, "token")) ?? "";
  const link = await readLink("reset", token);
  if (link === null) return <DeadLink />;
  return (
    <>
      <AuthHeading title="Set password">This ends all your other sessions.</AuthHeading>
      <AuthForm
        to="callback/link"
        hidden={{ kind: "reset", token, callbackUrl: "/" }}
        fields={[
          { name: "email", label: "E-mail", autoComplete: "username", fixed: link.email ?? "" },
          {
            name: "password",
            label: "New password",
            hint: passwordHint,
            autoComplete: "new-password",
          },
        ]}
        checkbox={
          link.api_keys === 0
            ? undefined
            : {
                name: "revoke_keys",
                label:
                  link.api_keys === 1 ? "Also revoke my API key" : `Also revoke my ${link.api_keys} API keys`,
                hint: "And end the open links that I made. Choose this if another person may have used the account.",
              }
        }
        submit="Set password"
        error={await parameter(searchParams, "error")}
      />
    </>
  );
}
