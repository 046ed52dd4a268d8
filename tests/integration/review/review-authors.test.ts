import { describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/authors/[account]/route.ts";
import { DELETE, GET as getFilters, POST } from "#app/api/v1/saved-filters/route.ts";
import { db } from "#lib/db.ts";
import type { Author } from "#lib/review/author-schema.ts";
import type { SavedFilter } from "#lib/review/saved-filter-schema.ts";
import { makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const admin = await makeKey();
const viewer = await makeKey({ role: "viewer" });

const show = (account: string, key = viewer) =>
  call<Author & { detail: string }>(GET, { path: "/api/v1/authors/x", params: { account }, key });

describe("GET /authors/{account}", () => {
  it("returns counts and the last decisions", async () => {
    const author = { author_username: "Zoe", instance: "zoo.example" };
    const at = (n: number) => new Date(Date.UTC(2026, 1, n));
    const first = await makePost({
      ...author,
      created_at: at(1),
      approved: true,
      reviewed_at: at(9),
      approved_at: at(9),
      auto_reject_reason: "bot",
    });
    const second = await makePost({
      ...author,
      created_at: at(2),
      approved: false,
      reviewed_at: at(3),
      auto_reject_reason: "bot",
    });
    await makePost({ ...author, created_at: at(3), author_display_name: "Zoë", author_is_bot: true });
    await makePost({ author_username: "zoe", instance: "other.example" });
    const { status, json } = await show("@zoe@zoo.example");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      account: "@Zoe@zoo.example",
      display_name: "Zoë",
      is_bot: true,
      posts: 3,
      approved: 1,
      rejected: 1,
      auto_rejected: 1,
      unreviewed: 1,
      first_post_at: at(1).toISOString(),
      last_post_at: at(3).toISOString(),
    });
    expect(json.last_decisions.map((decision) => decision.post_id)).toEqual([first.id, second.id]);
    for (const spelling of ["Zoe@ZOO.example", "%40zoe%40zoo.example", "https://zoo.example/@zoe"]) {
      expect((await show(spelling)).json.posts).toBe(3);
    }
  });

  it("answers 404 for an unknown author", async () => {
    expect((await show("nobody@nowhere.example")).json).toMatchObject({
      account: "@nobody@nowhere.example",
      posts: 0,
      last_decisions: [],
      blocked_by: [],
      opt_out: null,
    });
  });

  it("returns matching block-list entries and an open opt-out", async () => {
    const account = "@mia@blocks.example";
    const block = (account_identifier: string, pattern_type: "exact" | "domain") =>
      db.blocked_user.create({ data: { account_identifier, pattern_type } });
    const exact = await block("mia@blocks.example", "exact");
    const suffix = await block("blocks.example", "domain");
    await block("other@blocks.example", "exact");
    expect((await show(account)).json.blocked_by).toEqual([
      { id: exact.id, account_identifier: "mia@blocks.example", pattern_type: "exact", subdomains: false },
      { id: suffix.id, account_identifier: "@blocks.example", pattern_type: "suffix", subdomains: true },
    ]);
    const post = await makePost({ author_username: "mia", instance: "blocks.example" });
    await db.reported_opt_out.create({
      data: { author_key: "mia@blocks.example", reason: "nobot", post_id: post.id },
    });
    expect((await show(account)).json.opt_out).toMatchObject({ reason: "nobot" });
    await db.reported_opt_out.update({
      where: { author_key: "mia@blocks.example" },
      data: { resolved_at: new Date(), resolution: "dismissed" },
    });
    expect((await show(account)).json.opt_out).toBeNull();
  });

  it.each(["zoe", "@zoe", "a@b@c", "%zz", "a%00@b.example", "%"])("answers 404 for %s", async (account) => {
    const answer = await show(account);
    expect([answer.status, answer.json.detail]).toEqual([404, "Author not found"]);
  });
});

describe("/saved-filters", () => {
  const filters = (key: string) => call<SavedFilter[]>(getFilters, { path: "/api/v1/saved-filters", key });
  const save = (body: unknown, key: string) =>
    call<SavedFilter & { detail: string; errors: { path: string }[] }>(POST, {
      method: "POST",
      path: "/api/v1/saved-filters",
      key,
      body,
    });
  const remove = (query: string, key: string) =>
    call<{ detail: string }>(DELETE, { method: "DELETE", path: `/api/v1/saved-filters?${query}`, key });
  const keyOf = async (role: "admin" | "reviewer", name: string) => {
    const member = await makeMember(role, { name });
    return makeKey({ created_by: member.id, role });
  };

  it("are listed by name: own first, then shared ones", async () => {
    const [ann, bob] = [await keyOf("reviewer", "Ann"), await keyOf("reviewer", "Bob")];
    const made = await save(
      { name: " Japanese ", filter: { language: "ja", reviewed: false, order: "oldest" } },
      ann,
    );
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: "Japanese",
      filter: { language: "ja", reviewed: false, order: "oldest" },
      shared: false,
      own: true,
      owner: "Ann",
    });
    const range = {
      happened: "delivered",
      since: "2026-03-01T00:00:00.000Z",
      reviewer: 7,
      waited_for_delivery: 60,
    };
    expect((await save({ name: "Late", filter: range }, ann)).json.filter).toEqual(range);
    await remove("name=Late", ann);
    await save({ name: "Everyone's", filter: { has_media: "true" }, shared: true }, ann);
    await save({ name: "Zebra", filter: { q: "zebra" } }, bob);
    expect((await filters(ann)).json.map((filter) => filter.name)).toEqual(["Everyone's", "Japanese"]);
    expect((await filters(bob)).json.map((filter) => [filter.name, filter.own, filter.owner])).toEqual([
      ["Zebra", true, "Bob"],
      ["Everyone's", false, "Ann"],
    ]);
    await remove("name=Everyone%27s", ann);
  });

  it("a used name is a 409 without replace", async () => {
    const ann = await keyOf("reviewer", "Ann");
    await save({ name: "a", filter: { q: "one" } }, ann);
    const again = await save({ name: "a", filter: { q: "two" } }, ann);
    expect([again.status, again.json.detail]).toEqual([409, "A filter named 'a' already exists"]);
    const replaced = await save({ name: "a", filter: { q: "two" }, replace: true }, ann);
    expect([replaced.status, replaced.json.filter]).toEqual([200, { q: "two" }]);
    const race = await Promise.all([1, 2, 3].map(() => save({ name: "race", filter: { q: "x" } }, ann)));
    expect(race.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  it("are deleted by their owner, and shared ones by an admin", async () => {
    const [ann, bob, boss] = [
      await keyOf("reviewer", "Ann"),
      await keyOf("reviewer", "Bob"),
      await keyOf("admin", "Boss"),
    ];
    const shared = (await save({ name: "s", filter: { q: "x" }, shared: true }, ann)).json;
    const own = (await save({ name: "o", filter: { q: "x" } }, ann)).json;
    expect((await remove("name=s", bob)).json.detail).toBe("Saved filter not found");
    expect((await remove(`id=${shared.id}`, bob)).status).toBe(404);
    expect((await remove(`id=${own.id}`, boss)).status).toBe(404);
    expect((await remove(`id=${shared.id}`, boss)).status).toBe(204);
    expect((await remove("name=o", ann)).status).toBe(204);
    expect((await remove("name=o", ann)).status).toBe(404);
    expect((await remove("", ann)).status).toBe(422);
    expect((await remove("id=x", ann)).status).toBe(422);
  });

  it.each<[unknown, string]>([
    [{ filter: { q: "x" } }, "name"],
    [{ name: "", filter: {} }, "name"],
    [{ name: "  ", filter: {} }, "name"],
    [{ name: "x".repeat(81), filter: {} }, "name"],
    [{ name: "x" }, "filter"],
    [{ name: "x", filter: { colour: "red" } }, "filter.colour"],
    [{ name: "x", filter: { order: "best" } }, "filter.order"],
    [{ name: "x", filter: {}, shared: "yes" }, "shared"],
  ])("refuses %j", async (body, path) => {
    const answer = await save(body, admin);
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([422, path]);
  });
});
