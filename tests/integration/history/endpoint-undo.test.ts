import { expect, it } from "vitest";
import "#app/api/v1/all-routes.ts";
import { registeredPaths } from "#lib/http/operation.ts";

/* How each change is taken back (docs/api.md "Actions"). A new endpoint goes to one of the lists. */

const changes = registeredPaths().flatMap(({ path: route, operations }) =>
  Object.keys(operations)
    .filter((method) => method !== "GET")
    .map((method) => `${method} ${route}`),
);

/** Actions with undo. Each has a row in tests/integration/action-rows. */
const undone = [
  ...["PATCH", "PUT"].map((method) => `${method} /posts/{id}`),
  ...["approve", "reject", "review"].map((verb) => `POST /posts/{id}/${verb}`),
  "POST /review/decisions",
  "POST /review/batch",
  ...["requeue", "dismiss"].map((change) => `POST /curated/errors/${change}`),
  ...["requeue", "mark-delivered"].map((move) => `POST /curated/{post_id}/${move}`),
  ...["users", "hashtags"].flatMap((kind) => [
    `POST /reblog-controls/blocked-${kind}`,
    `POST /reblog-controls/blocked-${kind}/import`,
    `DELETE /reblog-controls/blocked-${kind}/{id}`,
  ]),
  "POST /reblog-controls/reject-blocked",
  "PUT /reblog-controls/settings",
  // The posts that a confirmation deletes stay deleted: the preview, the history and the undo count them.
  "PUT /opt-outs/{account}",
  ...["streams", "hashtags"].flatMap((name) => [`PATCH /${name}/{id}`, `PUT /${name}/{id}`]),
  "POST /topical-tags",
  "PATCH /topical-tags/{id}",
  "DELETE /topical-tags/{id}",
  "PUT /checks/settings",
  "PUT /classify/rules",
  "POST /classify/words",
  "DELETE /classify/words/{id}",
];

/** Undo of others. */
const undoing = ["POST /actions/{id}/undo", "POST /review/batch/{id}/undo", "POST /curated/errors/{id}/undo"];

/** Counted before, and final. */
const final = [
  "POST /curated/cleanup",
  "POST /curated/trim-pending",
  "PUT /retention",
  "DELETE /posts/{id}",
  ...["streams", "hashtags"].map((name) => `DELETE /${name}/{id}`),
];

/** The protocols of boost bots and of the review desk: leases that end by themselves, and deliveries. */
const leases = [
  ...["ack", "nack", "error", "extend"].map((move) => `POST /curated/{post_id}/${move}`),
  "DELETE /review/deck",
];

/** Read something, or fetch or compute it anew. */
const repeatable = [
  "POST /actions/preview",
  "POST /checks/dry-run",
  "POST /posts/batch-score",
  "POST /posts/{id}/score",
  ...["streams", "hashtags"].flatMap((name) => [`POST /${name}/fetch-all`, `POST /${name}/{id}/fetch`]),
];

/** Add one thing, which has an endpoint to remove it. */
const additions = ["POST /streams", "POST /hashtags", "POST /reject-reasons"];

/** Settings of a list whose entries are archived: the same endpoint sets the former values. */
const archived = ["PATCH /reject-reasons/{id}"];

/** Accounts and secrets: changed back by hand, or made anew. */
const accounts = [
  "POST /members",
  "PATCH /members/{id}",
  "POST /members/{id}/reset-link",
  "POST /members/{id}/sign-out",
  "POST /members/invitations",
  "DELETE /members/invitations/{id}",
  "DELETE /members/links/{id}",
  "PATCH /profile",
  "POST /profile/password",
  "POST /profile/sign-out",
  "DELETE /profile/sessions/{id}",
  "POST /api-keys/generate",
  "POST /api-keys/revoke",
  "PATCH /api-keys/{id}",
  "POST /api-keys/{id}/rotate",
  "PUT /hosts/{host}/token",
];

it("each change is an action with undo, a counted deletion, or outside the history for a reason", () => {
  const listed = [undone, undoing, final, leases, repeatable, additions, archived, accounts].flat();
  expect(listed.sort()).toEqual(changes.sort());
});
