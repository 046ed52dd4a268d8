import { ButtonLink } from "#components/ui/button.tsx";
import { AuthHeading } from "./auth-heading.tsx";

export function DeadLink({
  hint = "It was already used, has expired, or was replaced or revoked. Ask an admin for a new one.",
}: {
  hint?: string;
}) {
  return (
    <>
      <AuthHeading title="This link is no longer valid">{hint}</AuthHeading>
      <ButtonLink href="/sign-in" size="touch" className="w-full">
        Go to sign-in
      </ButtonLink>
    </>
  );
}
