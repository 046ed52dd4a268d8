import { beforeEach, describe, expect, it } from "vitest";
import { HEAD } from "#app/api/v1/curated/next/route.ts";
import { PUT as putSettings } from "#app/api/v1/reblog-controls/settings/route.ts";
import { db } from "#lib/base/db.ts";
import { lostHours } from "#lib/blocking/switches.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import { makeKey, makePending, makePost, makeStream, picture, setSwitches } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, endPause, entry, next, settle, giveBack } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, second));

describe("GET /curated/next", () => {
  it("returns the documented item with a lease", async () => {
    const stream = await makeStream({ hashtag: "Otters" });
    const post = await makePending(
      { stream_id: stream.id, stream_hashtag: "Otters", media: [picture()] },
      at(0),
    );
    const answer = await next(key);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: post.id,
      fenliu_post_id: post.id,
      post_uri: post.uri,
      post_url: post.url,
      author_account: post.author_account,
      content_snippet: post.snippet,
      hashtags: ["cats"],
      stream: "Otters",
      has_attachments: true,
      post_created_at: post.created_at.toISOString(),
      approved_at: at(0).toISOString(),
      is_topical: false,
    });
    const row = await entry(post.id);
    expect(row.state).toBe("reserved");
    expect(answer.headers.get("etag")).toBe(`"${row.lease_id}"`);
    expect(answer.headers.get("x-reservation-id")).toBe(row.lease_id);
    expect(answer.headers.get("x-reservation-expires-at")).toBe(row.lease_expires_at?.toISOString());
    expect(answer.headers.get("x-delivery-count")).toBe("1");
    const seconds = (row.lease_expires_at as Date).getTime() - (row.reserved_at as Date).getTime();
    expect(seconds).toBe(300_000);
  });

  it("hands out by time of approval, then id", async () => {
    const late = await makePending({ created_at: at(0) }, at(9));
    const twin = await makePending({ created_at: at(30) }, at(5));
    const twin2 = await makePending({ created_at: at(1) }, at(5));
    const order = [];
    for (let i = 0; i < 3; i++) order.push((await next(key)).json.fenliu_post_id);
    expect(order).toEqual([twin.id, twin2.id, late.id]);
    expect((await next(key)).status).toBe(204);
  });

  it("keeps the place of a requeued post", async () => {
    const { id } = await makePending({}, at(3));
    await db.$transaction((tx) => enqueuePosts(tx, [id], at(9)));
    expect((await entry(id)).approved_at).toEqual(at(3));
  });

  it("returns no null in fields that consumers require", async () => {
    const post = await makePending({ url: null, snippet: "", hashtags: [] });
    const { json } = await next(key);
    expect(json).toMatchObject({
      post_url: post.uri,
      content_snippet: "(no text)",
      hashtags: [],
      stream: "",
    });
    const plain = await makePending({ url: "http://mastodon.example/@a/1" });
    expect((await next(key)).json).toMatchObject({ fenliu_post_id: plain.id, post_url: plain.uri });
    // Without an https URL the page's URL is kept.
    const local = await makePending({ url: "http://lab.example/@a/1", uri: "http://lab.example/users/a/1" });
    expect((await next(key)).json).toMatchObject({ fenliu_post_id: local.id, post_url: local.url });
  });

  it("skips unreviewed, rejected, held and kept-back posts", async () => {
    await makePost();
    await makePost({ approved: false, reviewed_at: at(0) });
    const held = await makePending();
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${held.id}`;
    const kept = await makePending();
    await db.$executeRaw`UPDATE queue_entry SET not_before = now() + interval '1 hour' WHERE post_id = ${kept.id}`;
    expect((await next(key)).status).toBe(204);
  });

  it("holds a post without any https address", async () => {
    await makePending({ has_https_address: false });
    expect((await next(key)).status).toBe(204);
  });

  it("sweeps a timed-out reservation and hands it out in the same call", async () => {
    const post = await makePending({}, at(0));
    const first = await next(key);
    expect((await next(key)).status).toBe(204);
    await makePending({}, at(1));
    await ageReservation(post.id, 301);
    const second = await next(key);
    expect(second.json.fenliu_post_id).toBe(post.id);
    expect(second.headers.get("x-delivery-count")).toBe("2");
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect(await entry(post.id)).toMatchObject({ timeouts: 1, refusals: 1, deliveries: 2 });
    const history = await db.post_event.findMany({ where: { post_id: post.id }, orderBy: { id: "asc" } });
    expect(history.map((line) => line.action)).toEqual(["reserve", "time_out", "reserve"]);
  });

  it("clears the consumer of a swept post and keeps its name in the history", async () => {
    const post = await makePending();
    await next(key);
    const { lease_label } = await entry(post.id);
    await ageReservation(post.id, 301);
    // This call sweeps, but must not reserve posts of other streams.
    expect((await next(await makeKey({ stream_ids: [(await makeStream()).id] }))).status).toBe(204);
    expect(await entry(post.id)).toMatchObject({
      state: "pending",
      lease_id: null,
      lease_key_id: null,
      lease_label: null,
      reserved_at: null,
      lease_expires_at: null,
    });
    expect(
      await db.post_event.findFirst({ where: { post_id: post.id }, orderBy: { id: "desc" } }),
    ).toMatchObject({ actor: "Sluice", source: "service", action: "time_out", note: lease_label });
  });

  it("does not wait for a locked expired reservation", async () => {
    const [timedOut, keptBack, free] = [await makePending(), await makePending(), await makePending()];
    await next(key);
    await ageReservation(timedOut.id, 301);
    await db.$executeRaw`UPDATE queue_entry SET not_before = now() - interval '1 second' WHERE post_id = ${keptBack.id}`;
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id IN (${timedOut.id}, ${keptBack.id}) FOR UPDATE`;
      expect((await next(key)).json.fenliu_post_id).toBe(free.id);
    });
    expect((await next(key)).json.fenliu_post_id).toBe(timedOut.id);
    expect((await next(key)).json.fenliu_post_id).toBe(keptBack.id);
  });

  it("refuses HEAD, a missing key, a wrong key, an expired key and a key without the scope", async () => {
    const post = await makePending();
    expect((await call(HEAD, { method: "HEAD", path: "/api/v1/curated/next", key })).status).toBe(405);
    const answers = [
      await next(""),
      await next("slc_wrong"),
      await next(await makeKey({ expires_at: new Date(Date.now() - 1000) })),
      await next(await makeKey({ scopes: ["read"] })),
      await next(await makeKey({ role: "viewer", scopes: ["consume"] })),
    ];
    expect(answers.map((a) => a.status)).toEqual([401, 401, 401, 403, 403]);
    expect(answers[1]?.json).toMatchObject({ detail: "Invalid API key" });
    expect(answers[3]?.json).toMatchObject({ detail: "API key lacks the scope 'consume'" });
    expect((await entry(post.id)).state).toBe("pending");
  });

  it("stops a key the moment it is revoked or its maker disabled", async () => {
    const mine = await makeKey();
    await makePending();
    await db.member.updateMany({
      where: { api_keys: { some: { last_characters: mine.slice(-4) } } },
      data: { disabled_at: new Date() },
    });
    expect((await next(mine)).status).toBe(401);
  });

  it("counts anything but true, 1 and yes as false", async () => {
    await makePending();
    expect((await next(key, "random=maybe&include_topical=2")).status).toBe(200);
  });
});

describe.each(["", "random=1", "include_topical=1", "include_topical=1&random=1"])(
  "many calls at a time: %s",
  (query) => {
    const given = (answers: Awaited<ReturnType<typeof next>>[]) =>
      answers
        .flatMap((answer) => (answer.status === 200 ? [answer.json.fenliu_post_id] : []))
        .sort((a, b) => a - b);

    it("get a post each, but none that somebody else holds", async () => {
      await db.$executeRaw`INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week)
        VALUES ('owls', 'owls', extract(dow FROM now() AT TIME ZONE 'UTC'))`;
      const ids: number[] = [];
      for (let i = 0; i < 30; i++) ids.push((await makePending({ hashtags: ["owls"] }, at(i))).id);
      const locked = ids.slice(0, 12);
      await db.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id = ANY (${locked}::int[]) FOR UPDATE`;
        const answers = await Promise.all(ids.map(() => next(key, query)));
        expect(given(answers)).toEqual(ids.slice(12));
      });
      expect(given(await Promise.all(locked.map(() => next(key, query))))).toEqual(locked);
      expect(await db.post_event.count({ where: { post_id: { in: ids }, action: "reserve" } })).toBe(30);
    });
  },
);

it("checks the key and the streams of each of many calls at a time", async () => {
  const [one, other] = [await makeStream(), await makeStream()];
  const oldest = await makePending({ stream_id: one.id }, at(0));
  const ofOther = await makePending({ stream_id: other.id }, at(1));
  const [reader, bound] = [await makeKey({ scopes: ["read"] }), await makeKey({ stream_ids: [other.id] })];
  // The first two are under way when the others come, which share a statement.
  const answers = await Promise.all([
    next(reader),
    next("slc_wrong"),
    next(key),
    next(bound),
    next("slc_wrong"),
    next(reader),
    next(key, "stream_id=2147483647"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 200, 200, 401, 403, 404]);
  expect(answers[2]?.json.fenliu_post_id).toBe(oldest.id);
  expect(answers[3]?.json.fenliu_post_id).toBe(ofOther.id);
});

describe("deliveries_paused", () => {
  const pause = async (deliveries_paused: boolean) => {
    const request = { method: "PUT", path: "/api/v1/reblog-controls/settings", body: { deliveries_paused } };
    expect((await call(putSettings, { ...request, key })).json).toMatchObject({ deliveries_paused });
  };

  it("hands out nothing while everything else works", async () => {
    const [held, waiting] = [await makePending({}, at(0)), await makePending({}, at(1))];
    await next(key);
    await pause(true);
    for (const query of ["", "random=1", "include_topical=1"]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => next(key, query)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      expect(answers[0]?.headers.get("retry-after")).toBe("30");
    }
    expect(await entry(waiting.id)).toMatchObject({ state: "pending", deliveries: 0 });
    expect((await settle("ack", key, held.id)).status).toBe(204);
    await pause(false);
    expect((await next(key)).json.fenliu_post_id).toBe(waiting.id);
  });

  it("shows the hours that a restore has lost until somebody resumes", async () => {
    const [restored_from, restored_at] = [at(0), at(5)];
    await db.installation.updateMany({ data: { restored_from, restored_at } });
    await pause(true);
    expect(await lostHours()).toEqual({ from: restored_from.toISOString(), to: restored_at.toISOString() });
    await pause(false);
    expect(await lostHours()).toBeNull();
  });
});

describe("switches", () => {
  it("take an alt text of white space for none", async () => {
    await makePending({ media: [picture("cat"), picture("  ")] }, at(0));
    const good = await makePending({ media: [picture("cat")] }, at(1));
    await setSwitches({ require_alt_text: true });
    expect((await next(key)).json.fenliu_post_id).toBe(good.id);
  });
});

describe("a post refused repeatedly", () => {
  it("is offered at once three times, then kept back for growing periods", async () => {
    const bad = await makePending({}, at(0));
    const good = await makePending({}, at(1));
    for (let i = 0; i < 3; i++) {
      expect((await next(key)).json.fenliu_post_id).toBe(bad.id);
      await settle("nack", key, bad.id);
    }
    const pauses = [];
    for (let i = 0; i < 4; i++) {
      expect((await next(key)).json.fenliu_post_id).toBe(bad.id);
      await settle("nack", key, bad.id);
      const [row] = await db.$queryRaw<
        { s: number }[]
      >`SELECT round(extract(epoch FROM not_before - now()) + 0.3)::int AS s FROM queue_entry WHERE post_id = ${bad.id}`;
      pauses.push(row?.s);
      expect((await next(key)).json.fenliu_post_id).toBe(good.id);
      await giveBack(good.id);
      await endPause(bad.id);
    }
    expect(pauses).toEqual([1, 2, 4, 8]);
  });

  it.each([
    [2, null],
    [3, 1],
    [4, 2],
    [5, 4],
  ])("a time-out after %i refusals counts as one more", async (refusals, pause) => {
    const bad = await makePending({}, at(0));
    const good = await makePending({}, at(1));
    await db.$executeRaw`UPDATE queue_entry SET refusals = ${refusals} WHERE post_id = ${bad.id}`;
    await next(key);
    await ageReservation(bad.id, 301);
    const { fenliu_post_id: given } = (await next(key)).json;
    expect(given).toBe(pause === null ? bad.id : good.id);
    const { not_before } = await entry(bad.id);
    const { reserved_at } = await entry(given);
    expect(not_before && not_before.getTime() - (reserved_at as Date).getTime()).toBe(pause && pause * 1000);
  });

  it("is kept back at most an hour and reset by success", async () => {
    const post = await makePending();
    await db.$executeRaw`UPDATE queue_entry SET refusals = 500 WHERE post_id = ${post.id}`;
    await next(key);
    await settle("nack", key, post.id);
    const [row] = await db.$queryRaw<
      { s: number }[]
    >`SELECT extract(epoch FROM not_before - now())::int AS s FROM queue_entry WHERE post_id = ${post.id}`;
    expect(row?.s).toBeGreaterThan(3590);
    expect(row?.s).toBeLessThanOrEqual(3600);
    await endPause(post.id);
    expect((await next(key)).json.fenliu_post_id).toBe(post.id);
    await settle("ack", key, post.id);
    expect(await entry(post.id)).toMatchObject({ refusals: 0, not_before: null });
  });
});
