import { removeBlockedUser } from "#lib/filters/remove-blocked-user.ts";
import { ApiError } from "#lib/errors.ts";
import { noContent, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/reblog-controls/blocked-users/{id}",
  {
    DELETE: operation({
      summary: "Take a user or pattern off the list",
      description:
        "Posts it held are free again unless another entry holds them. Rejected posts stay rejected.",
      tag: "Reblog controls",
      scope: "manage",
      ids: ["id"],
      notFound: () => new ApiError("blocked_user_not_found"),
      responses: { 204: null },
      errors: ["blocked_user_not_found"],
      handle: async ({ principal, params }) => {
        await removeBlockedUser(principal, params.id);
        return noContent();
      },
    }),
  },
);
