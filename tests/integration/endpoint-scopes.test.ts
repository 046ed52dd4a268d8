import { expect, it } from "vitest";
import "#app/api/v1/all-routes.ts";
import { scopes, type Scope } from "#lib/auth/permissions.ts";
import { registeredPaths } from "#lib/http/operation.ts";

const closed = registeredPaths().flatMap(({ path: route, operations }) =>
  Object.entries(operations)
    .filter(([, op]) => op.auth !== "none")
    .map(([method, op]) => ({ name: `${method} ${route}`, method, route, op })),
);

/** Exceptions to the rule: reads need `read`, changes need `manage`. */
const otherScopes: Partial<Record<Scope, readonly string[]>> = {
  read: [
    "PATCH /profile",
    "POST /profile/password",
    "POST /profile/sign-out",
    "DELETE /profile/sessions/{id}",
    "POST /actions/preview",
    "POST /actions/{id}/undo",
  ],
  consume: [
    "GET /curated/next",
    ...["ack", "nack", "error", "extend"].map((move) => `POST /curated/{post_id}/${move}`),
  ],
  review: [
    ...["PATCH", "PUT"].map((method) => `${method} /posts/{id}`),
    ...["approve", "reject", "review", "score"].map((verb) => `POST /posts/{id}/${verb}`),
    "POST /posts/batch-score",
    "GET /review/deck",
    "GET /review/remaining",
    "DELETE /review/deck",
    "POST /review/decisions",
    "POST /review/batch",
    "POST /review/batch/{id}/undo",
    "POST /saved-filters",
    "DELETE /saved-filters",
    "PUT /opt-outs/{account}",
    "POST /block-suggestions",
    "POST /curated/{post_id}/mark-delivered",
  ],
  manage: [
    "GET /export",
    "GET /hosts",
    "GET /members",
    "GET /members/{id}",
    "GET /members/invitations",
    "GET /members/links",
    "GET /metrics",
  ],
  keys: [
    "POST /api-keys/generate",
    "POST /api-keys/revoke",
    "PATCH /api-keys/{id}",
    "POST /api-keys/{id}/rotate",
    "GET /webhooks",
    "POST /webhooks",
    "PATCH /webhooks/{id}",
    "DELETE /webhooks/{id}",
    "GET /webhooks/{id}/deliveries",
    "POST /webhooks/{id}/rotate-secret",
    "POST /webhooks/{id}/test",
  ],
};

it("requires the documented scope or session on each endpoint", () => {
  const wrong = closed.flatMap(({ name, method, route, op }) => {
    const apart = scopes.find((scope) => otherScopes[scope]?.includes(name));
    const scope = apart ?? (method === "GET" ? "read" : "manage");
    // A key that could invite an admin would exceed its scopes.
    const byPerson = route.startsWith("/profile") || (route.startsWith("/members") && method !== "GET");
    return op.scope === scope && (op.sessionOnly ?? false) === byPerson ? [] : [name];
  });
  expect(wrong).toEqual([]);
  const names = closed.map(({ name }) => name);
  expect(
    Object.values(otherScopes)
      .flat()
      .filter((name) => !names.includes(name)),
  ).toEqual([]);
});
