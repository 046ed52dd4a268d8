import { ButtonLink } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import { AuthHeading } from "./auth-heading.tsx";

export function DeadLink({ hint = words.auth.linkNotValidHint }: { hint?: string }) {
  return (
    <>
      <AuthHeading title={words.auth.linkNotValid}>{hint}</AuthHeading>
      <ButtonLink href="/sign-in" size="touch" className="w-full">
        {words.auth.goToSignIn}
      </ButtonLink>
    </>
  );
}
