import { beforeEach, describe, expect, it } from "vitest";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { parse } from "#lib/accounts/route.ts";
import { db } from "#lib/base/db.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { Log } from "#lib/review/log-schema.ts";
import type { PostDetail, PostList } from "#lib/review/post-schema.ts";
import {
  RejectReasonCreate,
  RejectReasonUpdate,
  type RejectReason,
} from "#lib/review/reject-reason-schema.ts";
import { addRejectReason, changeRejectReason } from "#lib/review/reject-reasons.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { makeCaller, type Caller } from "#tests/setup/caller.ts";
import { makePost, unique } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";

const [SPAM, OFF_TOPIC, LOW] = [1, 2, 3];
const ann = await makeCaller();
const bob = await makeCaller();

const reasons = async () => (await ann.send<RejectReason[]>("GET reject-reasons")).json;
const me = principalOfMember({ ...ann.member, role: "admin" }, null);
const change = (id: number, body: object) =>
  outcome(async () => changeRejectReason(me, id, parse(RejectReasonUpdate, body, "body")));
const add = (body: object) =>
  outcome(async () => addRejectReason(me, parse(RejectReasonCreate, body, "body")));
const review = (id: number, body: object, by: Caller = ann) => by.send<PostDetail>(`PATCH posts/${id}`, body);
const decide = (decision: object, by: Caller = ann) =>
  by.send("POST review/decisions", {
    decisions: [{ id: crypto.randomUUID(), decision: "reject", ...decision }],
  });
const read = async (id: number) => (await ann.send<PostDetail>(`GET posts/${id}`)).json;
const listed = async (query: string) =>
  (await ann.send<PostList>(`GET posts?${query}`)).json.items.map(({ id }) => id);
const log = async (query: string) => (await ann.send<Log>(`GET audit?${query}`)).json.items;
const overview = async () => (await ann.send<Overview>("GET stats/overview")).json.reject_reasons;
const figures = async () => new Map((await overview()).map(({ id, count }) => [id ?? 0, count]));
const undo = (post_id: number, by: Caller = ann) => decide({ post_id, decision: "undo" }, by);
const batch = (body: object) => ann.send<BatchResult>("POST review/batch", body);
const rejected = async (reject_reason = SPAM) => {
  const { id } = await makePost();
  await review(id, { approved: false, reject_reason });
  return id;
};

beforeEach(async () => {
  await db.reject_reason.updateMany({ data: { place: null, archived_at: new Date() } });
  await db.$executeRaw`UPDATE reject_reason SET place = id, archived_at = NULL WHERE id <= 7`;
});

describe("the list of reasons", () => {
  it("starts with seven, in the order of the keys", async () => {
    expect((await reasons()).filter(({ place }) => place !== null).map(({ label }) => label)).toEqual([
      ...["Spam or advertising", "Off topic", "Low quality", "Sensitive or unsafe", "Duplicate"],
      ...["Wrong language", "No permission"],
    ]);
  });

  it("adds, renames, moves, archives and restores, each with a line of the log", async () => {
    const label = `Blurred ${unique()}`;
    const added = await add({ label: `  ${label} `, about: "picture" });
    expect(added).toMatchObject({
      status: 200,
      json: { label, about: "picture", place: 8, archived_at: null },
    });
    const { id } = added.json;
    expect((await change(id, { label: `${label}!`, place: 2 })).json).toMatchObject({ place: 2 });
    const order = async () => (await reasons()).flatMap((each) => (each.place === null ? [] : [each.id]));
    expect(await order()).toEqual([1, id, 2, 3, 4, 5, 6, 7]);
    expect((await change(1, { archived: true })).json).toMatchObject({ place: null });
    expect(await order()).toEqual([id, 2, 3, 4, 5, 6, 7]);
    expect((await change(1, { archived: false })).json).toMatchObject({ place: 8, archived_at: null });
    expect(await order()).toEqual([id, 2, 3, 4, 5, 6, 7, 1]);
    const audit = await log("action=reject_reason");
    expect(audit.map(({ action }) => action)).toEqual([
      ...Array<string>(3).fill("reject_reason.update"),
      "reject_reason.create",
    ]);
    expect(audit[0]).toMatchObject({
      subject: "Spam or advertising",
      after: { archived: false, place: 8 },
    });
  });

  it("refuses a second label, a tenth reason, a place of an archived one and an unknown id", async () => {
    const before = await reasons();
    expect((await add({ label: "off TOPIC" })).status).toBe(409);
    expect((await change(SPAM, { label: "OFF topic" })).status).toBe(409);
    expect((await add({ label: "  " })).status).toBe(422);
    expect((await change(999_999, { label: "x" })).status).toBe(404);
    expect((await change(SPAM, { archived: true, place: 1 })).json.errors).toMatchObject([{ path: "place" }]);
    expect(await reasons()).toEqual(before);
    const [eighth, ninth] = [await add({ label: `r${unique()}` }), await add({ label: `r${unique()}` })];
    expect([eighth.status, ninth.status]).toEqual([200, 200]);
    expect((await add({ label: `r${unique()}` })).json).toMatchObject({
      detail: "There are 9 reasons in use already: archive one first",
    });
    await change(eighth.json.id, { archived: true });
    expect((await add({ label: `r${unique()}` })).status).toBe(200);
    expect((await change(eighth.json.id, { archived: false })).status).toBe(409);
  });

  it("gives every reason its own place when several are added at once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => add({ label: `r${unique()}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
  });
});

describe("a rejection", () => {
  it("stores the reason through every endpoint, and answers with it", async () => {
    const body = { approved: false, reject_reason: SPAM };
    const ways: ((id: number) => Promise<{ status: number }>)[] = [
      (id) => review(id, body),
      (id) => ann.send(`PUT posts/${id}`, body),
      (id) => ann.send(`POST posts/${id}/review`, body),
      (id) => ann.send(`POST posts/${id}/reject`, { reject_reason: SPAM }),
      (id) => decide({ post_id: id, reject_reason: SPAM }),
      (id) => batch({ post_ids: [id], decision: "reject", reject_reason: SPAM }),
    ];
    for (const way of ways) {
      const { id } = await makePost();
      expect((await way(id)).status).toBe(200);
      expect(await read(id)).toMatchObject({
        approved: false,
        reject_reason: SPAM,
        reject_reason_label: "Spam or advertising",
        history: [{ action: "reject", reject_reason_label: "Spam or advertising" }],
      });
      expect(await log(`post_id=${id}`)).toMatchObject([{ action: "reject", reject_reason: SPAM }]);
    }
  });

  it("is refused with an unknown or archived reason, and changes nothing", async () => {
    await change(LOW, { archived: true });
    const [{ id }, { id: first }] = [await makePost(), await makePost()];
    for (const reject_reason of [LOW, 999_999, 0, "x"]) {
      const answers = [
        await review(id, { approved: false, reject_reason }),
        await batch({ post_ids: [id], decision: "reject", reject_reason }),
        await ann.send("POST review/decisions", {
          decisions: [
            { id: crypto.randomUUID(), post_id: first, decision: "reject" },
            { id: crypto.randomUUID(), post_id: id, decision: "reject", reject_reason },
          ],
        }),
      ];
      for (const { status, text } of answers)
        expect([status, text]).toEqual([422, expect.stringContaining("reject_reason")]);
    }
    for (const each of [id, first]) expect(await read(each)).toMatchObject({ approved: null, history: [] });
  });

  it("made before its reason was archived is accepted when it arrives later", async () => {
    const decided_at = new Date(Date.now() - 5_000).toISOString();
    const { id } = await makePost();
    await change(LOW, { archived: true });
    expect((await decide({ post_id: id, reject_reason: LOW, decided_at })).status).toBe(200);
    expect(await read(id)).toMatchObject({ reject_reason: LOW });
  });

  it("is the only decision that has a reason", async () => {
    const { id } = await makePost();
    const refused = [
      await review(id, { approved: true, reject_reason: SPAM }),
      await review(id, { reject_reason: SPAM }),
      await batch({ post_ids: [id], decision: "approve", reject_reason: SPAM }),
      await decide({ post_id: id, decision: "skip", reject_reason: SPAM }),
    ];
    for (const { status, text } of refused)
      expect([status, text]).toEqual([422, expect.stringContaining("reject_reason")]);
    expect(await read(id)).toMatchObject({ approved: null, reject_reason: null, history: [] });
    expect((await review(id, { approved: true, reject_reason: null })).status).toBe(200);
  });

  it("by a filter takes no reason", async () => {
    const filter = { approved: false, reviewed_at: new Date(), auto_reject_reason: "bot" };
    const { id } = await makePost(filter);
    expect((await review(id, { approved: false, reject_reason: SPAM })).json.detail).toContain(
      "a filter rejected",
    );
    expect((await decide({ post_id: id, reject_reason: SPAM })).status).toBe(200);
    expect(await read(id)).toMatchObject({ auto_reject_reason: "bot", reject_reason: null });
  });

  it("gets another reason without a new decision", async () => {
    const id = await rejected(SPAM);
    const { reviewed_at } = await read(id);
    expect((await review(id, { reject_reason: LOW }, bob)).json).toMatchObject({
      reject_reason: LOW,
      reviewed_at,
    });
    expect(await log(`post_id=${id}`)).toMatchObject([
      { action: "note", reject_reason: LOW },
      { action: "reject", reject_reason: SPAM },
    ]);
    await review(id, { reject_reason: null });
    expect(await read(id)).toMatchObject({ approved: false, reject_reason: null });
  });
});

describe("the reason and an undo", () => {
  it("of its rejection: the reason goes", async () => {
    const id = await rejected();
    await undo(id);
    expect(await read(id)).toMatchObject({ approved: null, reject_reason: null });
  });

  it.each([
    ["an approval", true],
    ["a removed decision", null],
  ])("of %s: the reason of the former rejection returns", async (_name, approved) => {
    const id = await rejected();
    await review(id, { approved }, bob);
    expect(await read(id)).toMatchObject({ approved, reject_reason: null });
    await undo(id, bob);
    expect(await read(id)).toMatchObject({ approved: false, reject_reason: SPAM });
  });

  it("of a batch: each post gets back its own reason, or none", async () => {
    const ids = [(await makePost()).id, await rejected(LOW), await rejected(OFF_TOPIC)];
    const reasonsOf = () => Promise.all(ids.map(async (id) => (await read(id)).reject_reason));
    const { json } = await batch({ post_ids: ids, decision: "approve" });
    expect(await reasonsOf()).toEqual([null, null, null]);
    await ann.send(`POST review/batch/${json.batch_id}/undo`);
    expect(await reasonsOf()).toEqual([null, LOW, OFF_TOPIC]);
  });

  it("whose reason was archived since: the former reason returns", async () => {
    const [approved, batched] = [await rejected(LOW), await rejected(LOW)];
    await review(approved, { approved: true });
    const made = await batch({ post_ids: [batched], decision: "approve" });
    await change(LOW, { archived: true });
    await undo(approved);
    await ann.send(`POST review/batch/${made.json.batch_id}/undo`);
    await change(LOW, { archived: false });
    for (const id of [approved, batched])
      expect(await read(id)).toMatchObject({ approved: false, reject_reason: LOW });
  });
});

describe("the figure and the list of a reason", () => {
  const difference = (before: Map<number, number>, after: Map<number, number>) =>
    Object.fromEntries(
      [0, OFF_TOPIC, SPAM, LOW].map((id) => [id, (after.get(id) ?? 0) - (before.get(id) ?? 0)]),
    );

  it("follow another reviewer, a changed reason and an undo", async () => {
    const before = await figures();
    const id = await rejected(SPAM);
    expect(difference(before, await figures())).toEqual({ 0: 0, 1: 1, 2: 0, 3: 0 });
    await review(id, { reject_reason: LOW }, bob);
    expect(difference(before, await figures())).toEqual({ 0: 0, 1: 0, 2: 0, 3: 1 });
    expect(await listed(`reject_reason=${LOW}`)).toContain(id);
    await review(id, { approved: true }, bob);
    expect(difference(before, await figures())).toEqual({ 0: 0, 1: 0, 2: 0, 3: 0 });
    await undo(id, bob);
    expect(difference(before, await figures())).toEqual({ 0: 0, 1: 0, 2: 0, 3: 1 });
    expect((await listed("reject_reason=0&limit=100")).includes(id)).toBe(false);
  });

  it("keep an archived reason, and its present name", async () => {
    const id = await rejected(LOW);
    await change(LOW, { archived: true, label: "Poor quality" });
    expect(await read(id)).toMatchObject({ reject_reason: LOW, reject_reason_label: "Poor quality" });
    expect(await listed(`reject_reason=${LOW}`)).toContain(id);
    expect(await overview()).toContainEqual(expect.objectContaining({ id: LOW, label: "Poor quality" }));
    expect((await review(id, { reviewer_notes: "still" })).status).toBe(200);
    expect(await read(id)).toMatchObject({ reject_reason: LOW });
  });
});
