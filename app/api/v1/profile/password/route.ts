import { routes } from "#lib/http/route.ts";
import { passwordOperation } from "#lib/members/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile/password", {
  POST: passwordOperation,
});
