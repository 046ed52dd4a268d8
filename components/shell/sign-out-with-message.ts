import { notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { signOut } from "#lib/client/sign-out.ts";

/** With a message when the server did not answer. */
export function signOutWithMessage(): void {
  signOut().catch((thrown: unknown) => notifyFailed(words.shell.signOutFailed, asFailure(thrown)));
}
