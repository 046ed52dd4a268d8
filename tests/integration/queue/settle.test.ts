import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { GET as getPost } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/base/db.ts";
import { makeKey, makeMember, makePending, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, entry, next, settle, type Verb } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);

async function reserved() {
  const post = await makePending();
  const answer = await next(key);
  expect(answer.json.fenliu_post_id).toBe(post.id);
  return { id: post.id, lease: answer.headers.get("x-reservation-id") as string };
}

const makers: Record<string, () => Promise<number>> = {
  unreviewed: async () => (await makePost()).id,
  rejected: async () => (await makePost({ approved: false, reviewed_at: new Date() })).id,
  pending: async () => (await makePending()).id,
  reserved: async () => (await reserved()).id,
  delivered: async () => {
    const { id } = await reserved();
    await settle("ack", key, id);
    return id;
  },
  error: async () => {
    const { id } = await reserved();
    await settle("error", key, id);
    return id;
  },
};

const rules: Record<Verb, { from: string; to: string }> = {
  ack: { from: "reserved", to: "delivered" },
  nack: { from: "reserved", to: "pending" },
  error: { from: "reserved", to: "error" },
  extend: { from: "reserved", to: "reserved" },
  requeue: { from: "error", to: "pending" },
  "mark-delivered": { from: "error", to: "delivered" },
};

describe.each(Object.entries(rules))("%s", (verb, rule) => {
  it.each(Object.keys(makers))("on a post that is %s", async (state) => {
    const id = await (makers[state] as () => Promise<number>)();
    const before = await db.queue_entry.findUnique({ where: { post_id: id } });
    const answer = await settle(verb as Verb, key, id);
    const after = await db.queue_entry.findUnique({ where: { post_id: id } });
    if (state === rule.from) {
      expect(answer.status).toBe(204);
      expect(answer.text).toBe("");
      expect(after?.state).toBe(rule.to);
    } else {
      expect(answer.status).toBe(409);
      const detail = `Post is in state '${state}', expected '${rule.from}'`;
      expect(answer.json).toEqual({ detail, code: "wrong_state", state });
      expect(after).toEqual(before);
    }
  });

  it.each(["999999", "abc", "0", "-1", "1.5", "2147483648", "99999999999999999999"])(
    "answers 404 for id %s",
    async (id) => {
      const answer = await settle(verb as Verb, key, id);
      expect([answer.status, answer.json]).toMatchObject([404, { detail: `Post ${id} not found` }]);
    },
  );

  it("writes one line of history", async () => {
    const id = await (makers[rule.from] as () => Promise<number>)();
    const count = () => db.post_event.count({ where: { post_id: id } });
    const before = await count();
    await settle(verb as Verb, key, id);
    await settle(verb as Verb, key, -1);
    expect((await count()) - before).toBe(verb === "extend" ? 0 : 1);
  });
});

describe("consumer behaviour", () => {
  it("ignores body and content type of ack and nack", async () => {
    const { id } = await reserved();
    const answer = await settle("nack", key, id, "{not json", { "content-type": "application/json" });
    expect(answer.status).toBe(204);
  });

  it("accepts a late ack until the reservation is swept", async () => {
    const { id } = await reserved();
    await ageReservation(id, 1000);
    expect((await settle("ack", key, id)).status).toBe(204);
  });

  it("extend does not change the refusal count", async () => {
    const { id } = await reserved();
    await db.$executeRaw`UPDATE queue_entry SET refusals = 5 WHERE post_id = ${id}`;
    expect((await settle("extend", key, id)).status).toBe(204);
    expect(await entry(id)).toMatchObject({ refusals: 5, nacks: 0, not_before: null });
  });
});

describe("a reservation of another member's key", () => {
  it.each(["ack", "nack", "error", "extend"] as const)(
    "is settled by %s, with and without its lease",
    async (verb) => {
      for (const fenced of [false, true]) {
        const member = await makeMember("reviewer");
        const other = await makeKey({ created_by: member.id, scopes: ["consume"] });
        const { id, lease } = await reserved();
        const headers: Record<string, string> = fenced ? { "if-match": `"${lease}"` } : {};
        expect((await settle(verb, other, id, undefined, headers)).status).toBe(204);
        expect((await entry(id)).state).toBe(rules[verb].to);
        await emptyQueue();
      }
    },
  );
});

describe("fencing", () => {
  it("lets one of several calls at a time settle a post", async () => {
    const ids = [(await reserved()).id, (await reserved()).id];
    const asked = [...ids, ...ids, ...ids, ...ids];
    const answers = await Promise.all(asked.map((id, i) => settle(i % 4 < 2 ? "ack" : "nack", key, id)));
    for (const id of ids) {
      const statuses = answers.filter((_, i) => asked[i] === id).map(({ status }) => status);
      expect(statuses.sort()).toEqual([204, 409, 409, 409]);
      expect(await db.post_event.count({ where: { post_id: id, action: { in: ["ack", "nack"] } } })).toBe(1);
    }
  });

  it.each([
    (lease: string) => `"${lease}"`,
    (lease: string) => `W/"${lease}"`,
    (lease: string) => `"${lease.toUpperCase()}"`,
    () => "*",
    (lease: string) => `"${randomUUID()}", "${lease}"`,
  ])("accepts the current lease (%#)", async (form) => {
    const { id, lease } = await reserved();
    expect((await settle("ack", key, id, undefined, { "if-match": form(lease) })).status).toBe(204);
  });

  it.each(["ack", "nack", "error", "extend"] as const)("refuses another lease on %s", async (verb) => {
    const { id } = await reserved();
    const before = await entry(id);
    const answer = await settle(verb, key, id, undefined, { "if-match": `"${randomUUID()}"` });
    expect([answer.status, answer.json]).toMatchObject([412, { detail: "Reservation is no longer current" }]);
    expect(await entry(id)).toEqual(before);
  });

  it("refuses the lease of an earlier consumer", async () => {
    const { id, lease } = await reserved();
    await ageReservation(id, 301);
    await next(key);
    expect((await settle("ack", key, id, undefined, { "if-match": `"${lease}"` })).status).toBe(412);
    expect((await entry(id)).state).toBe("reserved");
  });

  it("extends the same lease from now", async () => {
    const { id, lease } = await reserved();
    await ageReservation(id, 200);
    const answer = await settle("extend", key, id);
    const expires = Date.parse(answer.headers.get("x-reservation-expires-at") as string);
    expect(expires - Date.now()).toBeGreaterThan(290_000);
    expect(((await entry(id)).lease_expires_at as Date).getTime()).toBe(expires);
    expect((await settle("ack", key, id, undefined, { "if-match": `"${lease}"` })).status).toBe(204);
  });
});

describe("extend", () => {
  const HOUR = 3600;

  it("lengthens a reservation up to 24 hours after it began, and is refused then", async () => {
    const { id } = await reserved();
    await ageReservation(id, 24 * HOUR - 100);
    const last = await settle("extend", key, id);
    const { reserved_at } = await entry(id);
    const limit = new Date((reserved_at as Date).getTime() + 24 * HOUR * 1000).toISOString();
    expect([last.status, last.headers.get("x-reservation-expires-at")]).toEqual([204, limit]);
    const before = await entry(id);
    const refused = await settle("extend", key, id);
    expect([refused.status, refused.json]).toMatchObject([409, { code: "extend_limit", state: "reserved" }]);
    expect(await entry(id)).toEqual(before);
    // The reservation itself is as good as before.
    expect((await settle("ack", key, id)).status).toBe(204);
  });

  it("starts anew with the next reservation", async () => {
    const { id } = await reserved();
    await ageReservation(id, 25 * HOUR);
    expect((await next(key)).json.fenliu_post_id).toBe(id);
    expect((await settle("extend", key, id)).status).toBe(204);
  });
});

describe("error reports", () => {
  it("stores reason and details, and requeue clears them", async () => {
    const { id } = await reserved();
    const details = {
      error_type: "duplicate_attachment",
      match_type: "url",
      current_dhash: null,
      matched_post_id: String(id),
    };
    expect(
      (await settle("error", key, id, { reason: "Duplicate attachment detected", error_details: details }))
        .status,
    ).toBe(204);
    expect(await entry(id)).toMatchObject({
      error_reason: "Duplicate attachment detected",
      error_details: details,
    });
    await settle("requeue", key, id);
    expect(await entry(id)).toMatchObject({
      state: "pending",
      error_reason: null,
      error_details: null,
      errored_at: null,
      refusals: 0,
    });
    const line = await db.post_event.findFirst({ where: { post_id: id, action: "error" } });
    expect(line).toMatchObject({ note: "Duplicate attachment detected", details });
  });

  it("keeps all keys of the details, even __proto__", async () => {
    const { id } = await reserved();
    const details = '{"__proto__":{"a":1},"constructor":"x","toString":null}';
    const sent = await settle("error", key, id, `{"reason":"odd keys","error_details":${details}}`);
    expect(sent.status).toBe(204);
    const { json } = await call<{ error_details: unknown }>(getPost, {
      path: `/api/v1/posts/${id}`,
      params: { id: String(id) },
      key,
    });
    expect(Object.entries(json.error_details as object).sort()).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", "x"],
      ["toString", null],
    ]);
  });

  it("keeps the reason as sent and counts code points", async () => {
    const { id } = await reserved();
    const reason = " 🦦".repeat(500);
    expect((await settle("error", key, id, { reason })).status).toBe(204);
    expect((await entry(id)).error_reason).toBe(reason);
  });

  it.each([
    ["{", 400, /^Invalid JSON body$/],
    [{ reason: "" }, 422, /^Validation error: reason: /],
    [{ reason: "a\0b" }, 422, /NUL/],
    [{ reason: "\ud800" }, 422, /Unicode/],
    [{ reason: "x".repeat(1001) }, 422, /1000/],
    [{ reason: "x", error_details: [1] }, 422, /^Validation error: error_details: /],
    [{ reason: "x", error_details: { a: "\0" } }, 422, /NUL/],
    [{ reason: "x", error_details: { a: "x".repeat(70_000) } }, 422, /64 KiB/],
    [
      { reason: "x", error_details: JSON.parse('{"a":'.repeat(2000) + "1" + "}".repeat(2000)) as object },
      422,
      /nested/,
    ],
    ["x".repeat(300_000), 413, /256 KiB/],
  ])("refuses %j before it looks at the post", async (body, status, text) => {
    const { id } = await reserved();
    for (const target of [id, 424242]) {
      const answer = await settle("error", key, target, body);
      expect(answer.status).toBe(status);
      expect(answer.json.detail).toMatch(text);
    }
    expect((await entry(id)).state).toBe("reserved");
  });
});
