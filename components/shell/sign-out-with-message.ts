import { notifyFailed } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { signOut } from "#lib/client/sign-out.ts";

/** Signs out; shows a toast if that fails. */
export function signOutWithMessage(): void {
  signOut().catch((thrown: unknown) => notifyFailed("Sign-out failed", asFailure(thrown)));
}
