import { beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { listOptOuts } from "#lib/collect/opt-outs.ts";
import { refreshEntries } from "#lib/queue/queue-entries.ts";
import { entry, next, settle } from "#tests/integration/queue/moves.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

let reviewer = "";
let consumer = "";

beforeEach(async () => {
  await db.$executeRaw`TRUNCATE reported_opt_out, blocked_user, hold_change, post CASCADE`;
  reviewer = await makeKey({ role: "reviewer", scopes: ["read", "review"] });
  consumer = await makeKey({ scopes: ["consume"] });
});

const waiting = listOptOuts;
const put = (account: string, resolution: unknown) =>
  sender({ key: reviewer })(`PUT opt-outs/${account}`, { resolution });
const heldBy = async (id: number) =>
  (await sender({ key: reviewer })<{ held_by: string | null }>(`GET posts/${id}`)).json.held_by;

async function reported() {
  const author = {
    author_username: "Shy",
    author_account: "@Shy@mastodon.example",
    author_key: "shy@mastodon.example",
  };
  const [first, second] = [await makePending(author), await makePending(author)];
  const item = await next(consumer);
  expect(item.json.fenliu_post_id).toBe(first.id);
  const body = {
    reason: "Author opts out of bot interaction (nobot)",
    error_details: { error_type: "nobot" },
  };
  expect((await settle("error", consumer, first.id, body)).status).toBe(204);
  return { first, second };
}

describe("reported opt-outs", () => {
  it("hold no other post when only another server has named the author", async () => {
    await makePending({ author_key: "shy@mastodon.example" });
    const { id } = await makePending({ author_key: "shy@mastodon.example", from_home: false });
    await db.$executeRaw`UPDATE queue_entry SET approved_at = 'epoch' WHERE post_id = ${id}`;
    expect((await next(consumer)).json.fenliu_post_id).toBe(id);
    const body = { reason: "Author opts out of bot interaction (nobot)" };
    expect((await settle("error", consumer, id, body)).status).toBe(204);
    expect(await waiting()).toEqual({ items: [], total: 0 });
    expect((await next(consumer)).status).toBe(200);
  });

  it("are listed with reason and held posts until decided", async () => {
    expect(await waiting()).toEqual({ items: [], total: 0 });
    const { first, second } = await reported();
    const { items, total } = await waiting();
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      account: "@shy@mastodon.example",
      reason: "Author opts out of bot interaction (nobot)",
      post_id: first.id,
      held: 1,
    });
    expect(await heldBy(second.id)).toBe("opt-out reported");
    expect((await next(consumer)).status).toBe(204);
    const earlier = { author_key: "early@mastodon.example", reason: "nobot", reported_at: new Date(0) };
    await db.reported_opt_out.create({ data: earlier });
    expect((await waiting()).items.map((each) => each.account)).toEqual([
      "@early@mastodon.example",
      "@shy@mastodon.example",
    ]);
    await db.reported_opt_out.delete({ where: { author_key: earlier.author_key } });
  });

  it("release their posts when dismissed and reopen on a later report", async () => {
    const { second } = await reported();
    expect((await put("@Shy@mastodon.example", "dismissed")).status).toBe(204);
    expect(await waiting()).toEqual({ items: [], total: 0 });
    expect(await heldBy(second.id)).toBeNull();
    const again = await put("@Shy@mastodon.example", "dismissed");
    expect([again.status, again.json.detail]).toEqual([404, "No reported opt-out of this author is open"]);
    expect((await next(consumer)).json.fenliu_post_id).toBe(second.id);
    await settle("error", consumer, second.id, { reason: "x", error_details: { error_type: "nobot" } });
    expect((await waiting()).total).toBe(1);
  });

  it("are stored together with their error or not at all", async () => {
    const author = { author_key: "shy@mastodon.example" };
    const [first, second] = [await makePending(author), await makePending(author)];
    await next(consumer);
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await db.$executeRawUnsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no room'; END $$`);
    await db.$executeRaw`CREATE TRIGGER refuse BEFORE INSERT ON reported_opt_out EXECUTE FUNCTION refuse()`;
    const body = { reason: "x", error_details: { error_type: "nobot" } };
    const answer = await settle("error", consumer, first.id, body);
    await db.$executeRaw`DROP FUNCTION refuse CASCADE`;
    expect([answer.status, answer.json]).toEqual([
      500,
      { detail: "Internal server error", code: "internal" },
    ]);
    expect(logged).toHaveBeenCalledOnce();
    expect((await entry(first.id)).state).toBe("reserved");
    expect(await db.post_event.count({ where: { post_id: first.id, action: "error" } })).toBe(0);

    expect((await settle("error", consumer, first.id, body)).status).toBe(204);
    expect((await entry(first.id)).state).toBe("error");
    expect(await heldBy(second.id)).toBe("opt-out reported");
    expect((await settle("error", consumer, first.id, body)).status).toBe(409);
    expect((await waiting()).total).toBe(1);
  });

  it("may arrive in parallel with approvals and edits", async () => {
    const authors = Array.from({ length: 6 }, (_, n) => ({ author_key: `shy${n}@mastodon.example` }));
    const taken: number[] = [];
    for (const author of authors) {
      await makePending(author);
      taken.push((await next(consumer)).json.fenliu_post_id);
    }
    const body = { reason: "x", error_details: { error_type: "nobot" } };
    const reports = taken.map((id) => settle("error", consumer, id, body));
    const later = authors.map((author) => makePending(author));
    const edits = taken.map((id) => inTransaction((tx) => refreshEntries(tx, [id])));
    expect((await Promise.all(reports)).map((answer) => answer.status)).toEqual(taken.map(() => 204));
    await Promise.all(edits);
    for (const post of await Promise.all(later)) expect(await heldBy(post.id)).toBe("opt-out reported");
  });
});
