import { describe, expect, it } from "vitest";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db } from "#lib/base/db.ts";
import { type AnyOperation } from "#lib/base/http/operation.ts";
import { roles, scopes, scopesOf, type Role, type Scope } from "#lib/base/http/permissions.ts";
import { makeKey, makeMember, unique } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";
import { type Asked, askEndpoint, bodyOf, endpoints, queryNames } from "./endpoints.ts";

/*
 * Rights of every operation. Callers: sessions of an admin, reviewer, viewer and disabled member; keys of an admin with one
 * scope; keys with all scopes of an admin, and of a viewer who was an admin.
 *
 * Answers: + allowed, - 403, 0 404, x 401.
 */
const callers = [
  ...["admin", "reviewer", "viewer", "disabled"],
  ...["read", "consume", "review", "manage", "keys"],
  ...["every scope", "former admin"],
];

const table: [rights: string, operations: string][] = [
  [
    "+++x +---- ++",
    `GET /streams /streams/{id} /posts /posts/{id} /reject-reasons
     GET /curated/errors /api-keys/status /authors/{account} /audit
     GET /reblog-controls/blocked-users /reblog-controls/blocked-users.csv /reblog-controls/blocked-hashtags
     GET /reblog-controls/settings /topical-tags
     GET /stats /stats/errors /stats/overview /stats/posts /stats/streams`,
  ],
  [
    "++-x -+--- +-",
    `GET /curated/next /curated/withdrawn
     POST /curated/{post_id}/ack /curated/{post_id}/nack /curated/{post_id}/error /curated/{post_id}/extend`,
  ],
  [
    "++-x --+-- +-",
    `GET /review/deck
     PUT /posts/{id} /opt-outs/{account}
     PATCH /posts/{id}
     POST /posts/{id}/approve /posts/{id}/reject /posts/{id}/review /posts/batch-score
     POST /review/decisions /review/batch /review/batch/{id}/undo /curated/{post_id}/mark-delivered
     DELETE /review/deck`,
  ],
  [
    "+--x ---+- +-",
    `GET /metrics
     POST /streams /streams/{id}/fetch /streams/fetch-all
     POST /curated/{post_id}/requeue /curated/errors/requeue /curated/errors/dismiss
     POST /curated/cleanup /curated/trim-pending /topical-tags
     POST /reblog-controls/blocked-hashtags /reblog-controls/blocked-users/import
     PUT /streams/{id} /reblog-controls/settings
     PATCH /streams/{id} /topical-tags/{id}
     DELETE /streams/{id} /posts/{id} /reblog-controls/blocked-hashtags/{id} /topical-tags/{id}`,
  ],
  ["+++x ----- --", "GET /profile"],
  ["++++ +++++ ++", "GET /health /info /livez /readyz /openapi.json"],
];

/** A thing of another member, or one that only an admin may have. */
const OTHERS = "+00x ----0 +0";
/** Rights that depend on the thing that is asked for. */
const targeted: [operation: string, target: string, rights: string][] = [
  ["POST /api-keys/generate", "key with the scope keys", "+++x ----+ ++"],
  ["POST /api-keys/generate", "key with the scope manage", "+--x ----- +-"],
  ["POST /api-keys/revoke", "own key", "+++x ----+ ++"],
  ["POST /api-keys/revoke", "key of another member", OTHERS],
  ["POST /reblog-controls/blocked-users", "single account", "++-x --+-- +-"],
  ["POST /reblog-controls/blocked-users", "blocked domain", "+--x ---+- +-"],
  ["DELETE /reblog-controls/blocked-users/{id}", "single account", "++-x --+-- +-"],
  ["DELETE /reblog-controls/blocked-users/{id}", "blocked domain", "+--x ---+- +-"],
];

const untargeted = table.flatMap(([rights, text]) =>
  text.split("\n").flatMap((line) => {
    const [method = "", ...paths] = line.trim().split(" ");
    const aliases = paths.filter((each) => /^\/streams\b/.test(each));
    return [...paths, ...aliases.map((each) => each.replace("/streams", "/hashtags"))].map((each) => ({
      ...{ name: `${method} ${each}`, rights: rights.replaceAll(" ", "") },
    }));
  }),
);

function find(name: string) {
  const found = endpoints.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${name} is not declared`);
  return found;
}

it("the table has every declared operation and no other", () => {
  const listed = [...untargeted.map(({ name }) => name), ...new Set(targeted.map(([name]) => name))];
  expect(listed.sort()).toEqual([...new Set(endpoints.map(({ name }) => name))].sort());
});

/** The rights that a declaration gives, without a request. */
function rightsOf({ auth, scope, orScope, sessionOnly }: AnyOperation): string {
  if (auth === "none") return "+".repeat(callers.length);
  const signs = callers.map((caller) => {
    if (caller === "disabled") return "x";
    const isKey = !roles.includes(caller as Role);
    if (isKey && sessionOnly) return "-";
    const all = scopesOf(isKey ? (caller === "former admin" ? "viewer" : "admin") : (caller as Role));
    const own = scopes.includes(caller as Scope) ? all.filter((each) => each === caller) : all;
    const isAllowed = scope == null || [scope, orScope].some((each) => each && own.includes(each));
    return isAllowed ? "+" : "-";
  });
  return signs.join("");
}

it.each(untargeted)("$name declares the rights of the table", ({ name, rights }) => {
  expect(rightsOf(find(name).op)).toBe(rights);
});

async function makeCaller(caller: string): Promise<Asked & { member: number }> {
  if (roles.includes(caller as Role) || caller === "disabled") {
    const member = await makeMember(caller === "disabled" ? "admin" : (caller as Role));
    const headers = await sessionHeaders(member);
    const disabled_at = caller === "disabled" ? new Date() : null;
    await db.member.update({ where: { id: member.id }, data: { disabled_at } });
    return { member: member.id, headers };
  }
  const { id } = await makeMember(caller === "former admin" ? "viewer" : "admin");
  const own = scopes.includes(caller as Scope) ? [caller as Scope] : [...scopes];
  return { member: id, key: await makeKey({ created_by: id, scopes: own }) };
}

async function makeTarget(target: string, isNew: boolean, caller: number): Promise<Asked> {
  const member = target.includes("another member") ? (await makeMember("admin")).id : caller;
  if (target.startsWith("key with the scope")) return { body: { scopes: [target.split(" ").at(-1)] } };
  if (target.includes("key")) {
    const key = await makeKey({ created_by: member, scopes: ["keys"] });
    const { id } = await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) } });
    return { body: { id } };
  }
  const host = `n${unique()}.example`;
  const data =
    target === "blocked domain"
      ? { account_identifier: `@${host}`, pattern_type: "suffix", subdomains: true }
      : { account_identifier: `spam@${host}`, pattern_type: "exact" };
  if (isNew) return { body: data };
  const { account_identifier, pattern_type } = data;
  const row = await db.blocked_user.create({ data: { account_identifier, pattern_type } });
  return { id: String(row.id) };
}

function signOf(status: number, isTargeted: boolean): string {
  if (status === 401) return "x";
  if (status === 403) return "-";
  if (status >= 500 || (isTargeted && status >= 300)) return status === 404 ? "0" : String(status);
  return "+";
}

/** One operation of each set of rights, and all whose rights depend on the thing that is asked for. */
const asked = [
  ...[...new Map(untargeted.map((row) => [row.rights, row])).values()].map((row) => ({ ...row, target: "" })),
  ...targeted.map(([name, target, rights]) => ({ name, target, rights: rights.replaceAll(" ", "") })),
];

describe("each caller has the rights of the table", () => {
  it.each(asked)("$name $target", async ({ name, target, rights }) => {
    const endpoint = find(name);
    const wrong = new URLSearchParams([...queryNames(endpoint), "dry_run"].map((each) => [each, "\0"]));
    const signs: string[] = [];
    for (const [n, caller] of callers.entries()) {
      const { member, ...who } = await makeCaller(caller);
      const thing = target === "" ? {} : await makeTarget(target, name.startsWith("POST"), member);
      // A refusal of the caller comes before that of a malformed request.
      const isRefused = target === "" && "x-".includes(rights[n] ?? "");
      const { status, json } = await askEndpoint<{ code?: string } | null>(endpoint, {
        ...{ ...who, id: "2147483646", body: bodyOf(endpoint), ...thing },
        ...(isRefused ? { id: "\0", query: `?${wrong}`, body: "not JSON" } : {}),
      });
      const ofKey = endpoint.op.sessionOnly ? "session_only" : "scope_missing";
      if (status === 403) expect(json?.code).toBe(who.key === undefined ? "role_forbidden" : ofKey);
      signs.push(signOf(status, target !== ""));
    }
    expect(signs.join("")).toBe(rights);
  });
});
