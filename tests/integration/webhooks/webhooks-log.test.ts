import pg from "pg";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { PATCH as reviewPost } from "#app/api/v1/posts/[id]/route.ts";
import { PATCH as updateWebhook } from "#app/api/v1/webhooks/[id]/route.ts";
import { POST as createWebhook } from "#app/api/v1/webhooks/route.ts";
import { db } from "#lib/db.ts";
import { applyBlockChanges } from "#lib/filters/block-changes.ts";
import { markConfirmed } from "#lib/ingest/source-check-sql.ts";
import { deleteHistory } from "#lib/posts/retention-sql.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { refreshEntries, setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { inTransaction } from "#lib/transaction.ts";
import { sendMessages, writeAvailable } from "#lib/webhooks/send-messages.ts";
import { makeApproved, makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const receiver = await vi.hoisted(async () => (await import("./webhook-receiver.ts")).startReceiver());
afterAll(() => void receiver.server.close());

let key: string;
beforeEach(async () => {
  await writeAvailable();
  await db.webhook.deleteMany();
  await db.post.deleteMany();
  receiver.messages.length = 0;
  receiver.state.before = () => undefined;
  key = await makeKey({ scopes: ["read", "review", "manage", "keys"] });
  await makeWebhook();
});

async function makeWebhook(path = "/hook"): Promise<void> {
  const body = { name: path, url: receiver.origin + path, events: ["post.approved"] };
  const { status } = await call(createWebhook, { method: "POST", path: "/api/v1/webhooks", key, body });
  expect(status).toBe(201);
}

async function setEnabled(enabled: boolean): Promise<void> {
  const { id } = await db.webhook.findFirstOrThrow();
  const params = { id: String(id) };
  const path = `/api/v1/webhooks/${id}`;
  const { status } = await call(updateWebhook, { method: "PATCH", path, params, key, body: { enabled } });
  expect(status).toBe(200);
}

async function approve(id: number): Promise<void> {
  const params = { id: String(id) };
  const path = `/api/v1/posts/${id}`;
  const { status } = await call(reviewPost, { method: "PATCH", path, params, key, body: { approved: true } });
  expect(status).toBe(200);
}

const deliver = () => sendMessages({ deadline: new Date(Date.now() + 20_000) });
const idsSent = (path = "/hook") =>
  receiver.messages
    .filter((message) => message.path === path)
    .map(({ body }) => (JSON.parse(body) as { data: { post_ids: number[] } }).data.post_ids);
const told = async () => {
  await deliver();
  return idsSent();
};

describe("a held post is told once, when its hold has ended:", () => {
  it.each<[string, Parameters<typeof makePost>[0], () => Promise<unknown>, (id: number) => Promise<unknown>]>(
    [
      [
        "confirmed",
        { from_home: false, confirmed_at: null, confirmed_by: null },
        () => Promise.resolve(),
        (id) => inTransaction((tx) => markConfirmed(tx, [id])),
      ],
      [
        "the same as its source again",
        { differs_since: new Date() },
        () => Promise.resolve(),
        (id) => inTransaction((tx) => setHoldOfPosts(tx, [id], "differs", false)),
      ],
      [
        "edited to have an address",
        { has_https_address: false },
        () => Promise.resolve(),
        async (id) => {
          await db.post.update({ where: { id }, data: { has_https_address: true } });
          await inTransaction((tx) => refreshEntries(tx, [id]));
        },
      ],
      [
        "a block removed",
        { author_username: "blocked" },
        () =>
          db.blocked_user.create({
            data: { account_identifier: "blocked@mastodon.example", pattern_type: "exact" },
          }),
        async () => {
          await db.blocked_user.deleteMany();
          const patterns = ["blocked@mastodon.example"];
          await db.block_change.create({ data: { kind: "user", pattern_type: "exact", patterns } });
          await applyBlockChanges({ deadline: new Date(Date.now() + 10_000) });
        },
      ],
    ],
  )("%s", async (_end, values, hold, release) => {
    await hold();
    const { id } = await makePost(values);
    await approve(id);
    expect(await told()).toEqual([]);
    await release(id);
    expect(await told()).toEqual([[id]]);
    await db.queue_entry.update({ where: { post_id: id }, data: { holds: holdBits.unconfirmed } });
    await inTransaction((tx) => markConfirmed(tx, [id]));
    expect(await told()).toEqual([[id]]);
    const lines = await db.post_event.findMany({ where: { post_id: id, action: "available" } });
    expect(lines).toMatchObject([{ actor: "Sluice", from_state: "pending", to_state: "pending" }]);
  });

  it("confirmed before anything was read", async () => {
    const { id } = await makePost({ from_home: false, confirmed_at: null, confirmed_by: null });
    await approve(id);
    await inTransaction((tx) => markConfirmed(tx, [id]));
    expect(await told()).toEqual([[id]]);
  });

  it("but not when another hold is left", async () => {
    const values = { from_home: false, confirmed_at: null, confirmed_by: null, has_https_address: false };
    const { id } = await makePost(values);
    await approve(id);
    await inTransaction((tx) => markConfirmed(tx, [id]));
    expect(await told()).toEqual([]);
  });
});

describe("a post without a hold", () => {
  it("is told at its approval, also when an export switch keeps it back", async () => {
    await db.export_setting.updateMany({ data: { require_media: true } });
    const { id } = await makePost();
    await approve(id);
    expect(await told()).toEqual([[id]]);
    await db.export_setting.updateMany({ data: { require_media: false } });
    expect(await told()).toEqual([[id]]);
  });

  it("is told when it is held again before the message is sent", async () => {
    const { id } = await makePost();
    await approve(id);
    await db.queue_entry.update({ where: { post_id: id }, data: { holds: holdBits.unconfirmed } });
    expect(await told()).toEqual([[id]]);
  });

  it("is not told again after it came back to the queue", async () => {
    const { id } = await makePost();
    await approve(id);
    await db.queue_entry.update({ where: { post_id: id }, data: { state: "error", error_reason: "e" } });
    await db.queue_entry.update({ where: { post_id: id }, data: { state: "pending", error_reason: null } });
    expect(await told()).toEqual([[id]]);
    expect(await told()).toEqual([[id]]);
  });
});

describe("the cursor", () => {
  it("reads a transaction that commits late, which delays no other", async () => {
    const client = new pg.Client(process.env.DATABASE_URL);
    await client.connect();
    try {
      const [late, early] = [await makePost(), await makePost()];
      await client.query("BEGIN");
      await client.query("SELECT queue_enqueue($1, now())", [[late.id]]);
      await client.query(
        `INSERT INTO post_event (post_id, actor, source, action, from_state, to_state)
         VALUES ($1, 'a', 'screen', 'approve', 'unreviewed', 'pending')`,
        [late.id],
      );
      await approve(early.id);
      expect(await told()).toEqual([[early.id]]);
      expect(await told()).toEqual([[early.id]]);
      await client.query("COMMIT");
      expect(await told()).toEqual([[early.id], [late.id]]);
      expect(await told()).toHaveLength(2);
    } finally {
      await client.end();
    }
  });

  it("reads each approval once while several workers read", async () => {
    const ids: number[] = [];
    const add = async () => {
      for (let n = 0; n < 10; n++) ids.push((await makeApproved()).id);
    };
    const read = async () => {
      for (let n = 0; n < 20; n++) await writeAvailable();
    };
    await Promise.all([add(), add(), read(), read(), read()]);
    const sent = (await told()).flat();
    expect(sent.sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b));
  });

  it("does not move when its worker is killed before the messages are stored", async () => {
    const { id } = await makeApproved();
    await db
      .$transaction(async (tx) => {
        await tx.$executeRaw`SELECT tell_available()`;
        throw new Error("killed");
      })
      .catch(() => undefined);
    expect(await told()).toEqual([[id]]);
  });

  it("starts anew in a cluster with lower transaction ids", async () => {
    await makeApproved();
    const xid = "(pg_current_xact_id()::text::bigint + 1000000)::text::xid8";
    await db.$executeRawUnsafe(`UPDATE post_event SET xid = ${xid}`);
    await db.$executeRawUnsafe(
      `UPDATE installation SET webhook_cursor = format('%1$s:%1$s:', ${xid})::pg_snapshot`,
    );
    expect(await told()).toEqual([]);
    const { id } = await makeApproved();
    expect(await told()).toEqual([[id]]);
    const later = await db.$queryRaw`SELECT id FROM post_event WHERE xid > pg_current_xact_id()`;
    expect(later).toEqual([]);
  });

  it("tells what is approved after the first reading in such a cluster, not what was approved before it", async () => {
    const xid = "(pg_current_xact_id()::text::bigint + 1000000)::text::xid8";
    await db.$executeRawUnsafe(
      `UPDATE installation SET webhook_cursor = format('%1$s:%1$s:', ${xid})::pg_snapshot`,
    );
    await makeApproved();
    expect(await told()).toEqual([]);
    const { id } = await makeApproved();
    expect(await told()).toEqual([[id]]);
  });

  it("tells no approval from before a webhook was enabled again", async () => {
    const before = await makePost();
    await approve(before.id);
    await setEnabled(false);
    const meanwhile = await makePost();
    await approve(meanwhile.id);
    await setEnabled(true);
    const after = await makePost();
    await approve(after.id);
    // A webhook that is enabled already loses nothing.
    await setEnabled(true);
    expect(await told()).toEqual([[after.id]]);
  });

  it("still finds old lines after a cleanup of the history", async () => {
    const unread = await makePost();
    const gone = await makePost();
    await approve(unread.id);
    await approve(gone.id);
    await db.post.delete({ where: { id: gone.id } });
    await db.$executeRaw`UPDATE post_event SET at = at - interval '200 days'`;
    await db.$executeRaw`UPDATE webhook SET approvals_since = now() - interval '300 days'`;
    expect(await deleteHistory(100, 10_000)).toBeGreaterThan(0);
    expect(await db.post_event.count({ where: { post_id: gone.id } })).toBe(0);
    expect(await told()).toEqual([[unread.id]]);
  });

  it("moves without webhooks, too", async () => {
    await db.webhook.deleteMany();
    await makeApproved();
    await deliver();
    await makeWebhook();
    expect(await told()).toEqual([]);
  });
});

describe("a receiver", () => {
  it("gets its messages one at a time and in order, from several workers", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push((await makeApproved()).id);
    let open = 0;
    let most = 0;
    receiver.state.before = async () => {
      most = Math.max(most, ++open);
      await db.$executeRaw`SELECT pg_sleep(0.02)`;
      open--;
    };
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();
    expect([idsSent().flat(), most]).toEqual([ids, 1]);
  });

  it("that is slow delays only itself", async () => {
    await makeWebhook("/slow");
    const slow = Promise.withResolvers<void>();
    receiver.state.before = (path) => (path === "/slow" ? slow.promise : undefined);
    const { id: first } = await makeApproved();
    const sent = deliver();
    await vi.waitFor(() => expect(receiver.messages).toHaveLength(2), 5_000);
    const { id: second } = await makeApproved();
    await vi.waitFor(() => expect(idsSent()).toEqual([[first], [second]]), 5_000);
    expect(idsSent("/slow")).toEqual([[first]]);
    slow.resolve();
    await sent;
    expect(idsSent("/slow")).toEqual([[first], [second]]);
  });

  it("that fails delays only the message that it refused", async () => {
    receiver.state.status = 500;
    const { id: first } = await makeApproved();
    await deliver();
    receiver.state.status = 204;
    const { id: second } = await makeApproved();
    expect(await told()).toEqual([[first], [second]]);
    await db.$executeRaw`UPDATE webhook_delivery SET next_attempt_at = now() - interval '1 second' WHERE state = 'pending'`;
    expect(await told()).toEqual([[first], [second], [first]]);
  });
});

it("an approval before a webhook was added is told to the others only", async () => {
  const { id } = await makePost();
  await approve(id);
  await makeWebhook("/added");
  await deliver();
  expect([idsSent(), idsSent("/added")]).toEqual([[[id]], []]);
});
