import { routes } from "#lib/http/route.ts";
import { signOutOperation } from "#lib/members/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile/sign-out", {
  POST: signOutOperation,
});
