import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import "#app/api/v1/all-routes.ts";
import "#app/api/v1/openapi.json/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { roles, scopes, scopesOf, type Role, type Scope } from "#lib/auth/permissions.ts";
import { db } from "#lib/db.ts";
import { type AnyOperation, registeredPaths } from "#lib/http/operation.ts";
import { makeKey, makeMember, unique } from "#tests/setup/factories.ts";
import { call, sessionHeaders, type RouteHandler } from "#tests/setup/request.ts";
import { callers, table, type Caller, type Row, type Target } from "./permission-table.ts";

const fileOf = (base: string, route: string) =>
  path.resolve("app", `.${base}${route.replace(/\{(\w+)\}/g, "[$1]")}`, "route.ts");
const declared = registeredPaths()
  .filter(({ base, path: route }) => existsSync(fileOf(base, route)))
  .flatMap(({ base, path: route, operations }) =>
    Object.entries(operations).map(([method, op]) => ({
      ...{ base, route, method, op },
      name: `${method} ${route}`,
    })),
  );

/** Bodies for operations whose example asks another server. */
const bodies: Record<string, object> = Object.fromEntries(
  ["streams", "hashtags"].map((name) => [`POST /${name}`, { hashtag: "cats", instance: "nowhere.invalid" }]),
);

interface Who {
  member: number;
  key?: string;
  headers?: Record<string, string>;
}

async function makeCaller(caller: Caller): Promise<Who> {
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

interface Asked {
  id?: string;
  query?: string;
  body?: object;
}

async function keyOf(member: number): Promise<number> {
  const key = await makeKey({ created_by: member, scopes: ["keys"] });
  return (await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) } })).id;
}

async function makeTarget(target: Target, verb: Row["verb"], member: number): Promise<Asked> {
  const other = (await makeMember("admin")).id;
  const ofOther = target.includes("another member");
  if (target === "batch") return {};
  if (target.startsWith("key with the scope")) return { body: { scopes: [target.split(" ").at(-1)] } };
  if (target.includes("session")) {
    const { id } = await db.session.create({ data: { member_id: ofOther ? other : member } });
    return { id };
  }
  if (target === "single account" || target === "blocked domain") {
    const [name, isDomain] = [`n${unique()}.example`, target === "blocked domain"];
    if (verb === "create")
      return {
        body: isDomain
          ? { account_identifier: `@${name}`, pattern_type: "suffix", subdomains: true }
          : { account_identifier: `spam@${name}` },
      };
    const data = isDomain
      ? { account_identifier: name, pattern_type: "domain" }
      : { account_identifier: `spam@${name}`, pattern_type: "exact" };
    return { id: String((await db.blocked_user.create({ data })).id) };
  }
  if (target.endsWith("key") || target === "key of another member") {
    const id = await keyOf(ofOther ? other : member);
    return { id: String(id), body: { id } };
  }
  throw new Error(`${target} is unknown`);
}

async function ask(name: string, { key, headers = {} }: Who, asked: Asked, isMalformed: boolean) {
  const operation = declared.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`${name} is not declared`);
  const { base, route, method, op } = operation;
  const id = isMalformed ? "\0" : (asked.id ?? "2147483646");
  const shape = (op.query as { shape?: object } | undefined)?.shape ?? {};
  const wrong = new URLSearchParams([...Object.keys(shape), "dry_run"].map((each) => [each, "\0"]));
  const example = asked.body ?? bodies[name] ?? op.body?.meta()?.example ?? {};
  const handlers = (await import(/* @vite-ignore */ pathToFileURL(fileOf(base, route)).href)) as Record<
    string,
    RouteHandler
  >;
  const { status, json } = await call<{ code?: string } | null>(handlers[method] as RouteHandler, {
    method,
    path:
      base +
      route.replace(/\{\w+\}/g, encodeURIComponent(id)) +
      (isMalformed ? `?${wrong}` : (asked.query ?? "")),
    params: Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map((match) => [match[1] ?? "", id])),
    ...(key === undefined ? {} : { key }),
    headers,
    body: method === "GET" ? undefined : isMalformed ? "not JSON" : example,
  });
  const ofKey = op.sessionOnly ? "session_only" : "scope_missing";
  if (status === 403) expect(json?.code).toBe(key === undefined ? "role_forbidden" : ofKey);
  return status;
}

function signOf(status: number, target: Target | undefined): string {
  if (status === 401) return "x";
  if (status === 403) return "-";
  if (status >= 500) return String(status);
  if (target === undefined || status < 300) return "+";
  return { 404: "0", 422: "!" }[status] ?? String(status);
}

it("the table has every declared operation and no other", () => {
  const listed = new Set(table.flatMap(({ operations }) => operations));
  expect([...listed].sort()).toEqual([...new Set(declared.map(({ name }) => name))].sort());
});

const rows = table.flatMap(({ operations, ...row }) => operations.map((name) => ({ ...row, name })));

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

const untargeted = rows.filter(({ target }) => target === undefined);

describe("each operation declares the rights of the table", () => {
  it.each(untargeted)("$verb $resource: $name", ({ name, rights }) => {
    const operation = declared.find((each) => each.name === name);
    expect(operation && rightsOf(operation.op)).toBe(rights.replaceAll(" ", ""));
  });
});

/** One operation of each set of rights, and all whose rights depend on the thing that is asked for. */
const asked = [
  ...new Map(untargeted.map((row) => [row.rights, row])).values(),
  ...rows.filter(({ target }) => target !== undefined),
];

describe("each caller has the rights of the table", () => {
  it.each(asked)("$verb $resource: $name", async ({ name, verb, target, rights }) => {
    const expected = rights.replaceAll(" ", "");
    const answers: Record<string, string> = {};
    for (const [n, caller] of callers.entries()) {
      const who = await makeCaller(caller);
      const asked = target === undefined ? {} : await makeTarget(target, verb, who.member);
      // A refusal of the caller comes before that of a malformed request.
      const isMalformed = target === undefined && "x-".includes(expected[n] ?? "");
      answers[caller] = signOf(await ask(name, who, asked, isMalformed), target);
    }
    expect(answers).toEqual(Object.fromEntries(callers.map((caller, n) => [caller, expected[n]])));
  });
});
