import { AuthForm, type AuthField, type AuthFormProps } from "#components/auth/auth-form.tsx";
import { AuthHeading } from "#components/auth/auth-heading.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { passwordHint, revokeKeysLabel, roles } from "#components/words.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { readLink } from "#lib/accounts/links.ts";
import { parameter, type SearchParams } from "./search-params.ts";

const name: AuthField = {
  name: "name",
  label: "Name",
  hint: "Shown next to your decisions.",
  autoComplete: "name",
};
const email: AuthField = { name: "email", label: "E-mail", autoComplete: "username" };
const password: AuthField = {
  name: "password",
  label: "Password",
  hint: passwordHint,
  autoComplete: "new-password",
};

/** The pages of one-time links: the first account, an invitation, a new password. */
export async function LinkPage({
  kind,
  searchParams,
}: {
  kind: "setup" | "invitation" | "reset";
  searchParams: SearchParams;
}) {
  const token = (await parameter(searchParams, "token")) ?? "";
  const link = await readLink(kind === "invitation" ? "invite" : kind, token);
  if (link === null)
    return (
      <>
        <AuthHeading title="This link is no longer valid">
          {kind === "setup"
            ? "It was already used or has expired. Restart Sluice, or deploy again on Vercel, to print a new one, as long as no account exists."
            : "It was already used, has expired, or was replaced or revoked. Ask an admin for a new one."}
        </AuthHeading>
        <ButtonLink href="/sign-in" size="touch" className="w-full">
          Go to sign-in
        </ButtonLink>
      </>
    );
  const form: Pick<AuthFormProps, "to" | "hidden" | "error"> = {
    to: "callback/link",
    hidden: { kind, token, callbackUrl: "/" },
    error: await parameter(searchParams, "error"),
  };
  const own: AuthField = { ...email, fixed: link.email ?? "" };
  if (kind === "setup")
    return (
      <>
        <AuthHeading title="Create the first account">
          This account is an admin and can invite other members.
        </AuthHeading>
        <AuthForm {...form} fields={[name, email, password]} submit="Create account" />
      </>
    );
  if (kind === "invitation")
    return (
      <>
        <AuthHeading title="Accept invitation">
          You are invited as {roles[link.role ?? "viewer"].toLowerCase()}.
        </AuthHeading>
        <AuthForm {...form} fields={[own, name, password]} submit="Accept invitation" />
        <ProviderButtons providers={configuredProviders()} callbackUrl="/" />
      </>
    );
  return (
    <>
      <AuthHeading title="Set password">This ends all your other sessions.</AuthHeading>
      <AuthForm
        {...form}
        fields={[own, { ...password, label: "New password" }]}
        revokesKeys={link.api_keys === 0 ? undefined : revokeKeysLabel(link.api_keys)}
        submit="Set password"
      />
    </>
  );
}
