import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { beforeAll, afterAll, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { learn } from "#lib/checks/learner/learn.ts";
import { applySourceCheck } from "#lib/collect/apply-source-check.ts";
import { reportOptOut, resolveOptOut } from "#lib/collect/opt-outs.ts";
import { deleteExpired } from "#lib/collect/retention.ts";
import { rejectReturnedErased } from "#lib/collect/forget-authors.ts";
import { postFolder, writeCached } from "#lib/media/cache.ts";
import { sweepPictures } from "#lib/media/cache.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { trimPending } from "#lib/queue/trim-pending.ts";
import { compactTally } from "#lib/base/tally.ts";
import { patch, remove, show, makeCallers } from "#tests/integration/posts/post-calls.ts";
import { entry, settle } from "#tests/integration/queue/moves.ts";
import {
  historyOf,
  image,
  ingest,
  postOf,
  status,
  target,
  type Status,
} from "#tests/integration/streams/ingest-samples.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { sender } from "#tests/setup/operations.ts";
import { contentColumns, otherColumns, textColumns } from "./forgetting-columns.ts";
import { columnsWith } from "./find-text-in-database.ts";

beforeAll(makeCallers);

const environment = await vi.hoisted(async () =>
  (await import("#tests/integration/media/media-environment.ts")).startMediaEnvironment(),
);
afterAll(environment.takeDown);
const admin = await makeKey();
const send = sender({ key: admin });

type Stream = Awaited<ReturnType<typeof target>>;
interface Planted {
  id: number;
  stream: Stream;
  sent: Status;
  mark: string;
}

async function post(where: string, body?: unknown) {
  const answer = await send<{ batch_id: string }>(`POST ${where}`, body);
  expect(answer.status, `${where} ${answer.text}`).toBe(200);
  return answer.json;
}

const decision = (post_id: number, rest: object) =>
  post("review/decisions", { decisions: [{ id: randomUUID(), post_id, ...rest }] });

async function fail(id: number, reason: string, details: object) {
  await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), holds = 0,
    lease_expires_at = now() + interval '1 hour', reserved_at = now() WHERE post_id = ${id}`;
  const answer = await settle("error", admin, id, { reason, error_details: details });
  expect(answer.status).toBe(204);
}

/** Copies the block with its note into the audit log and the undo. */
async function removeBlockOf(account_identifier: string) {
  const { id } = await db.blocked_user.findFirstOrThrow({ where: { account_identifier } });
  expect((await send(`DELETE reblog-controls/blocked-users/${id}`)).status).toBe(204);
}

function marked(mark: string): Status {
  return status({
    content: `<p>${mark} in the text</p>`,
    spoiler_text: `${mark} warning`,
    tags: [{ name: mark }],
    media_attachments: [image(`${mark} described`, `https://files.home.example/${mark}.jpg`)],
    card: { url: `https://news.example/${mark}`, title: `${mark} card`, type: "link" },
    quote: {
      state: "accepted",
      quoted_status: { uri: `https://quoted.example/${mark}`, url: null, account: { acct: mark } },
    },
    poll: { options: [{ title: `${mark} option`, votes_count: 1 }], votes_count: 1 },
    account: { display_name: `${mark} name`, ...{ avatar: `https://files.home.example/${mark}/avatar.png` } },
    emojis: [
      {
        shortcode: mark,
        url: `https://files.home.example/${mark}.gif`,
        static_url: "",
        visible_in_picker: true,
      },
    ],
  });
}

/** Directly in the tables. For the end of `plant()`: an edit would overwrite them. */
async function plantResults(id: number, mark: string) {
  const data = {
    rules: [{ name: "word_list", reason: mark }],
    learner_reasons: [mark],
    pictures: [{ mark }],
    remote: { mark },
  };
  await db.post_check.upsert({ where: { post_id: id }, create: { post_id: id, ...data }, update: data });
  await db.post.update({
    where: { id },
    data: { ai_checks: [{ name: mark }], in_reply_to: `https://home.example/${mark}` },
  });
  await db.queue_entry.updateMany({ where: { post_id: id }, data: { topics: mark } });
  await learn({ deadline: new Date(Date.now() + 20_000) });
}

/** A post in state `error` with a text in every place that can hold one. */
async function plant(): Promise<Planted> {
  const mark = `zebra${randomUUID().replaceAll("-", "")}`;
  const stream = await target();
  const sent = marked(mark);
  await ingest(stream, [sent]);
  const { id } = await postOf(sent);
  await db.$executeRaw`INSERT INTO picture_hash (post_id, medium, source) VALUES (${id}, 0, ${mark})`;
  await writeCached(id, "picture", Buffer.from("bytes"));
  await db.post.update({
    where: { id },
    data: {
      ai_reasons: [`word: ${mark}`],
      text_reason: `word: ${mark}`,
    },
  });

  await decision(id, { decision: "reject", reason: `quotes ${mark}`, note: `reads "${mark}"` });
  await decision(id, { decision: "undo" });
  await decision(id, { decision: "skip", note: `ask about ${mark}` });
  await patch(id, { reviewer_notes: `the first ${mark}` }, admin);
  await post(`posts/${id}/approve`, {});
  await ingest(stream, [{ ...sent, content: `<p>${mark} edited</p>`, edited_at: new Date().toISOString() }]);
  const filter = { q: mark, reviewed: false };
  await post("review/batch", { filter, decision: "approve", note: `all with ${mark}` });

  const reason = `Refused: ${mark}`;
  await fail(id, reason, { error_type: "nobot", quoted: mark, batch_id: "not a UUID" });
  await compactTally(new Date(Date.now() + 5000));
  await resolveOptOut(servicePrincipal, (await postOf(sent)).author_key, "confirmed");
  await removeBlockOf((await postOf(sent)).author_key);
  await post("curated/errors/requeue", { reason });
  await fail(id, reason, { quoted: mark });
  await decision(id, { decision: "reject" });
  await decision(id, { decision: "undo" });

  await plantResults(id, mark);
  expect((await columnsWith(mark)).sort()).toEqual([...contentColumns, "learnt_count.feature"].sort());
  return { id, stream, sent, mark };
}

const becomePending = (id: number) => settle("requeue", admin, id);
const reject = (id: number) => patch(id, { approved: false }, admin);
const look = (uri: string, kind: "gone") => db.$transaction((tx) => applySourceCheck(tx, uri, { kind }));
async function deliver(id: number) {
  expect((await settle("mark-delivered", admin, id)).status).toBe(204);
}
async function reserve(id: number) {
  await becomePending(id);
  await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(),
    lease_expires_at = now() + interval '1 hour', reserved_at = now() WHERE post_id = ${id}`;
}
const refusing = (sent: Status): Status => ({ ...sent, account: { ...sent.account, note: "#nobot" } });

const picturesOf = (id: number) =>
  readdir(postFolder(path.join(environment.folder, "media"), id)).catch(() => []);

test("every column that can hold text is planted, or an exception with a reason", async () => {
  const excepted = Object.values(otherColumns).flatMap((names) => names.trim().split(/\s+/));
  expect([...contentColumns, ...excepted].sort()).toEqual((await textColumns()).sort());
});

describe("no column of any table, and no cached picture, keeps the content of a post that", () => {
  test.each<[string, (planted: Planted) => Promise<unknown>]>([
    ["a person deleted", ({ id }) => remove(id)],
    [
      "refuses in its own tags",
      ({ stream, sent }) => ingest(stream, [{ ...sent, tags: [{ name: "nobot" }] }]),
    ],
    ["has an author who opted out", ({ stream, sent }) => ingest(stream, [refusing(sent)])],
    [
      "has an author whose reported opt-out a person confirmed",
      async ({ id, sent }) => {
        const { author_key } = await postOf(sent);
        const found = { author_key, post_id: id, reason: "nobot" };
        await reportOptOut(servicePrincipal, () => Promise.resolve(found));
        const answer = await send(`PUT opt-outs/@${author_key}`, { resolution: "confirmed" });
        expect(answer.status).toBe(204);
      },
    ],
    [
      "was cleaned up after delivery",
      async ({ id }) => {
        await deliver(id);
        await cleanupDelivered(servicePrincipal, 0);
      },
    ],
    [
      "was trimmed",
      async ({ id }) => {
        await becomePending(id);
        const other = await makePending();
        await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now() WHERE post_id = ${other.id}`;
        await addEvents("delivered", [[24 * 101, 1]]);
        await trimPending(servicePrincipal, 100);
      },
    ],
    [
      "was rejected and is older than rejected posts are kept",
      async ({ id }) => {
        await reject(id);
        await deleteExpired("rejected", 0, 100);
      },
    ],
    [
      "is back in review and older than unreviewed posts are kept",
      async ({ id }) => {
        await becomePending(id);
        await patch(id, { approved: null }, admin);
        await deleteExpired("unreviewed", 0, 100);
      },
    ],
    ["failed and is older than failed posts are kept", () => deleteExpired("failed", 0, 100)],
    ["was deleted by a plain SQL statement", ({ id }) => db.post.delete({ where: { id } })],
    ["is gone at home after a failed delivery", ({ sent }) => look(sent.uri, "gone")],
    [
      "is gone at home while it waits in the queue",
      async ({ id, sent }) => {
        await becomePending(id);
        await look(sent.uri, "gone");
      },
    ],
    [
      "is gone at home while a consumer has it",
      async ({ id, sent }) => {
        await reserve(id);
        await look(sent.uri, "gone");
      },
    ],
    [
      "is gone at home after its delivery",
      async ({ id, sent }) => {
        await deliver(id);
        await look(sent.uri, "gone");
      },
    ],
    [
      "is gone at home after its rejection",
      async ({ id, sent }) => {
        await reject(id);
        await look(sent.uri, "gone");
      },
    ],
    ["is withdrawn at home", ({ stream, sent }) => ingest(stream, [{ ...sent, visibility: "private" }])],
  ])("%s", async (how, leave) => {
    const planted = await plant();
    await leave(planted);
    await compactTally(new Date(Date.now() + 5000));
    expect(await columnsWith(planted.mark)).toEqual([]);
    // These two ways leave the pictures to their callers, or to the sweep.
    if (!/plain SQL|older than/.test(how)) expect(await picturesOf(planted.id)).toEqual([]);
    await sweepPictures();
    expect(await picturesOf(planted.id)).toEqual([]);
  });

  test("was deleted, while the texts about other posts stay", async () => {
    const kept = await plant();
    const before = await columnsWith(kept.mark);
    const planted = await plant();
    await remove(planted.id);
    expect(await columnsWith(planted.mark)).toEqual([]);
    expect(await picturesOf(kept.id)).toEqual(["picture"]);
    expect((await columnsWith(kept.mark)).sort()).toEqual(before.sort());
  });
});

describe("after a post was forgotten", () => {
  test("its history keeps actors, states and times, and its error stays counted", async () => {
    const { id } = await plant();
    const before = await historyOf(id);
    const errors = () =>
      db.$queryRaw`SELECT sum(n)::int AS n FROM tally_now('{day}') WHERE key = '' AND metric = 'errors'`;
    const counted = await errors();
    await remove(id);
    const facts = ({ actor, action, at, from_state, to_state }: (typeof before)[number]) => ({
      actor, action, at, from_state, to_state,
    }); // prettier-ignore
    expect((await historyOf(id)).slice(0, -1).map(facts)).toEqual(before.map(facts));
    expect(await errors()).toEqual(counted);
  });

  test("a text that other posts share stays until the last of them is forgotten", async () => {
    const stream = await target();
    const sent = [marked("shared1"), marked("shared2")];
    await ingest(stream, sent);
    const ids = await Promise.all(sent.map(async (each) => (await postOf(each)).id));
    await post("review/batch", { post_ids: ids, decision: "reject", note: "same note" });
    await remove(ids[0]!);
    expect(await columnsWith("same note")).toContain("post_event.note");
    await remove(ids[1]!);
    expect(await columnsWith("same note")).toEqual([]);
  });

  test("the notes of the batch's other posts can be restored by its undo", async () => {
    const stream = await target();
    const sent = [status(), status()];
    await ingest(stream, sent);
    const ids = await Promise.all(sent.map(async (each) => (await postOf(each)).id));
    await patch(ids[1]!, { reviewer_notes: "before" }, admin);
    const { batch_id } = await post("review/batch", {
      post_ids: ids,
      decision: "reject",
      note: "after",
    });
    await remove(ids[0]!);
    await post(`review/batch/${batch_id}/undo`);
    expect((await show(ids[1]!)).json).toMatchObject({ approved: null, reviewer_notes: "before" });
  });
});

describe("an erased post", () => {
  test("is not approved or reviewed again, and neither a copy nor its own server brings it back", async () => {
    const { id, sent, stream } = await plant();
    await look(sent.uri, "gone");
    const { json } = await show(id);
    expect(json).toMatchObject({
      approved: false,
      auto_reject_reason: "gone",
      content: "",
      media_attachments: [],
    });
    expect(json.erased_at).not.toBeNull();
    for (const approved of [true, null]) {
      const answer = await patch(id, { approved }, admin);
      expect([answer.status, answer.json.detail]).toEqual([
        409,
        "Post was deleted at its own server, and its content here",
      ]);
    }
    const batch = await send("POST review/batch", { post_ids: [id], decision: "approve" });
    expect(batch.json).toMatchObject({ changed: 0, unchanged: [{ post_id: id }] });
    expect(await ingest(stream, [sent])).toMatchObject({ new: 0, duplicates: 1, updated: 0 });
    const elsewhere = await target({ instance: "elsewhere.example" });
    await ingest(elsewhere, [
      { ...sent, account: { ...sent.account, acct: `${String(sent.account["username"])}@home.example` } },
    ]);
    expect((await postOf(sent)).plain_text).toBe("");
  });

  test.each([
    ["gives it back", "nack", undefined],
    [
      "reports an error that quotes it",
      "error",
      (mark: string) => ({ reason: `No ${mark}`, error_details: { mark } }),
    ],
  ] as const)("is rejected when the consumer that has it %s", async (_how, verb, bodyOf) => {
    const { id, sent, mark } = await plant();
    await reserve(id);
    await look(sent.uri, "gone");
    expect((await entry(id)).state).toBe("reserved");
    expect((await settle(verb, admin, id, bodyOf?.(mark))).status).toBe(204);
    expect((await entry(id)).holds & holdBits.unverifiable).not.toBe(0);
    await rejectReturnedErased();
    expect(await db.queue_entry.findUnique({ where: { post_id: id } })).toBeNull();
    expect((await show(id)).json).toMatchObject({ approved: false, auto_reject_reason: "gone" });
    expect(await columnsWith(mark)).toEqual([]);
  });
});
