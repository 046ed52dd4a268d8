/*
 * Rights of every operation: resource × verb × caller. `permissions.isolated.test.ts` asks each square.
 *
 * Callers: sessions of an admin, reviewer, viewer and disabled member; keys of an admin with only `read`, `consume`, `review`,
 * `manage` or `keys`; keys with all scopes of an admin, and of a viewer who was an admin.
 *
 * Answers: + allowed, - 403, 0 404, ! 422, x 401.
 */
export const callers = [
  ...["admin", "reviewer", "viewer", "disabled"],
  ...["read", "consume", "review", "manage", "keys"],
  ...["every scope", "former admin"],
] as const;
export type Caller = (typeof callers)[number];

/** Whose thing it is, or which it is. Without one: an unknown id. */
export type Target =
  | "batch"
  | "own key"
  | "key of another member"
  | "key with the scope keys"
  | "key with the scope manage"
  | "single account"
  | "blocked domain"
  | "own session"
  | "session of another member";

export interface Row {
  resource: string;
  verb: "create" | "read" | "update" | "delete" | "rotate" | "act";
  target?: Target;
  /** By caller, in their order. */
  rights: string;
  operations: string[];
}

const rights = {
  read: "+++x +---- ++",
  consume: "++-x -+--- +-",
  review: "++-x --+-- +-",
  manage: "+--x ---+- +-",
  keys: "+++x ----+ ++",
  member: "+++x ----- --",
  adminMember: "+--x ----- --",
  open: "++++ +++++ ++",
  any: "+++x +++++ ++",
} as const;

const row = (resource: string, verb: Row["verb"], of: keyof typeof rights, ...operations: string[]): Row => ({
  resource,
  verb,
  rights: rights[of],
  operations,
});

const targeted = (target: Target, verb: Row["verb"], squares: string, ...operations: string[]): Row => ({
  resource: target,
  verb,
  target,
  rights: squares,
  operations,
});

const both = (...operations: string[]) =>
  operations.flatMap((each) => ["streams", "hashtags"].map((name) => each.replace("streams", name)));
/** A thing of another member, or one that only an admin may have. */
const OTHERS = "+00x ----0 +0";

export const table: Row[] = [
  row("streams", "create", "manage", ...both("POST /streams")),
  row("streams", "read", "read", ...both("GET /streams", "GET /streams/{id}", "GET /streams/{id}/runs")),
  row("streams", "update", "manage", ...both("PUT /streams/{id}", "PATCH /streams/{id}")),
  row("streams", "delete", "manage", ...both("DELETE /streams/{id}")),
  row("streams", "act", "manage", ...both("POST /streams/{id}/fetch")),
  row("streams", "act", "manage", ...both("POST /streams/fetch-all")),

  row("posts", "read", "read", "GET /posts", "GET /posts/{id}"),
  row("posts", "update", "review", "PUT /posts/{id}", "PATCH /posts/{id}"),
  row("posts", "act", "review", ...["approve", "reject", "review"].map((v) => `POST /posts/{id}/${v}`)),
  row("posts", "act", "review", "POST /posts/batch-score"),
  row("posts", "delete", "manage", "DELETE /posts/{id}"),

  row("review", "read", "read", "GET /review/log"),
  row("review", "read", "review", "GET /review/deck"),
  row(
    "review",
    "act",
    "review",
    "POST /review/decisions",
    "POST /review/batch",
    "POST /review/batch/{id}/undo",
  ),
  row("review", "delete", "review", "DELETE /review/deck"),
  row("reasons", "read", "read", "GET /reject-reasons"),
  row("reasons", "create", "manage", "POST /reject-reasons"),
  row("reasons", "update", "manage", "PATCH /reject-reasons/{id}"),
  // The scope of the action, too.

  row("queue", "act", "consume", "GET /curated/next"),
  row("queue", "read", "consume", "GET /curated/withdrawn"),
  row(
    "queue",
    "act",
    "consume",
    ...["ack", "nack", "error", "extend"].map((v) => `POST /curated/{post_id}/${v}`),
  ),
  row("queue", "act", "review", "POST /curated/{post_id}/mark-delivered"),
  row("queue", "act", "manage", ...["requeue"].map((v) => `POST /curated/{post_id}/${v}`)),
  row("queue", "act", "manage", "POST /curated/errors/requeue", "POST /curated/errors/dismiss"),
  row("queue", "delete", "manage", "POST /curated/cleanup", "POST /curated/trim-pending"),
  row("queue", "read", "read", "GET /curated/errors", "GET /curated/overview"),

  row("keys", "read", "read", "GET /api-keys/status"),
  targeted("key with the scope keys", "create", rights.keys, "POST /api-keys/generate"),
  targeted("key with the scope manage", "create", "+--x ----- +-", "POST /api-keys/generate"),
  targeted("own key", "delete", rights.keys, "POST /api-keys/revoke"),
  targeted("key of another member", "delete", OTHERS, "POST /api-keys/revoke"),

  row("members", "create", "adminMember", "POST /members", "POST /members/links"),
  row("members", "read", "manage", "GET /members"),
  row("members", "read", "manage", "GET /members/links"),
  row("members", "update", "adminMember", "PATCH /members/{id}", "POST /members/{id}/sign-out"),
  row("members", "rotate", "adminMember", "POST /members/{id}/reset-link"),
  row("members", "delete", "adminMember", "DELETE /members/links/{id}"),
  row("profile", "read", "member", "GET /profile", "GET /profile/sessions"),
  row("profile", "update", "member", "PATCH /profile", "POST /profile/password", "POST /profile/sign-out"),
  targeted("own session", "delete", rights.member, "DELETE /profile/sessions/{id}"),
  targeted("session of another member", "delete", "000x ----- --", "DELETE /profile/sessions/{id}"),

  row(
    "filters",
    "read",
    "read",
    "GET /reblog-controls/blocked-users",
    "GET /reblog-controls/blocked-hashtags",
    "GET /reblog-controls/blocked-users.csv",
  ),
  row(
    "filters",
    "create",
    "manage",
    "POST /reblog-controls/blocked-hashtags",
    "POST /reblog-controls/blocked-users/import",
  ),
  targeted("single account", "create", rights.review, "POST /reblog-controls/blocked-users"),
  targeted("blocked domain", "create", rights.manage, "POST /reblog-controls/blocked-users"),
  row("filters", "delete", "manage", "DELETE /reblog-controls/blocked-hashtags/{id}"),
  targeted("single account", "delete", rights.review, "DELETE /reblog-controls/blocked-users/{id}"),
  targeted("blocked domain", "delete", rights.manage, "DELETE /reblog-controls/blocked-users/{id}"),
  row("authors", "read", "read", "GET /authors/{account}", "GET /opt-outs"),
  row("authors", "update", "review", "PUT /opt-outs/{account}"),

  row("topical rules", "read", "read", "GET /topical-tags"),
  row("topical rules", "create", "manage", "POST /topical-tags"),
  row("topical rules", "update", "manage", "PATCH /topical-tags/{id}"),
  row("topical rules", "delete", "manage", "DELETE /topical-tags/{id}"),
  row("checks", "read", "read", "GET /checks/settings"),
  row("checks", "read", "read", "GET /classify/words"),
  row("checks", "create", "manage", "POST /classify/words"),
  row("checks", "update", "manage", "PUT /checks/settings"),
  row("checks", "delete", "manage", "DELETE /classify/words/{id}"),
  row("settings", "read", "read", "GET /reblog-controls/settings"),
  row("settings", "update", "manage", "PUT /reblog-controls/settings"),
  row("retention", "read", "read", "GET /retention"),
  row("retention", "update", "manage", "PUT /retention"),
  row("tokens of servers", "read", "manage", "GET /hosts"),
  row("tokens of servers", "rotate", "manage", "PUT /hosts/{host}/token"),

  row("audit", "read", "read", "GET /audit"),
  row("statistics", "read", "read", "GET /stats", "GET /stats/duplicates/{id}"),
  row("statistics", "read", "read", "GET /stats/errors", "GET /stats/overview"),
  row("statistics", "read", "read", "GET /stats/posts", "GET /stats/streams"),
  row("installation", "read", "manage", "GET /metrics"),
  row(
    "installation",
    "read",
    "open",
    "GET /health",
    "GET /info",
    "GET /livez",
    "GET /readyz",
    "GET /openapi.json",
  ),
];
