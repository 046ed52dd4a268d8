import { routes } from "#lib/http/route.ts";
import { withdrawOperation } from "#lib/members/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/invitations/{id}", {
  DELETE: withdrawOperation,
});
