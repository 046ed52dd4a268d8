import { expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { applySourceCheck } from "#lib/collect/apply-source-check.ts";
import { claimSources } from "#lib/collect/check-sources.ts";
import { readPostTexts } from "#lib/collect/post-row.ts";
import { fetchPostAtSource } from "#lib/fediverse/fetch-post-at-source.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { importFenLiu } from "#lib/runtime/import-fenliu/import-file.ts";
import { ingest, status, target } from "#tests/integration/streams/ingest-samples.ts";
import { approved, fenLiuPost, fenLiuStream, makeFenLiuFile } from "./fenliu-file.ts";

const notice = (id: number) => `https://pleroma.example/notice/${id}`;
const objectOf = (id: number) => `https://pleroma.example/objects/uuid-${id}`;
const ofPleroma = (id: number) => ({
  url: notice(id),
  author_username: "p",
  author_url: "https://pleroma.example/users/p",
});

/** Answers of Pleroma's API. */
const request: HostRequest = (address) => {
  const id = Number(/statuses\/(\d+)$/.exec(String(address))?.[1]);
  const body = JSON.stringify(shownAtHome(id));
  return Promise.resolve({
    url: String(address),
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from(body),
  } as unknown as Awaited<ReturnType<HostRequest>>);
};
const shownAtHome = (id: number) => ({
  ...status({ content: `<p>Bird number ${id} #birds</p>`, tags: [{ name: "birds" }] }),
  id: String(id),
  uri: objectOf(id),
  url: notice(id),
  created_at: "2026-10-01T08:00:00.000Z",
  account: { acct: "p", username: "p", url: "https://pleroma.example/users/p" },
});

async function checkSource(id: number) {
  await db.source_check.updateMany({ data: { due_at: new Date(0) } });
  const row = (await claimSources(40)).find((each) => each.id === id);
  expect(row).toMatchObject({ is_derived: true });
  const software = { name: "pleroma", version: null, family: "mastodon" } as const;
  const outcome = await fetchPostAtSource({
    ...(row as NonNullable<typeof row>),
    host: "pleroma.example",
    token: null,
    software,
    request,
  });
  if (outcome.kind === "seen") await readPostTexts([outcome.post]);
  expect(outcome.kind).toBe("seen");
  await inTransaction((tx) => applySourceCheck(tx, row?.uri ?? "", outcome));
}

test("a post takes the address that its server names; with a stored post of that address it becomes one", async () => {
  const file = makeFenLiuFile({
    hashtag_streams: [fenLiuStream],
    posts: [
      fenLiuPost(1, { ...approved("pending"), ...ofPleroma(1) }),
      fenLiuPost(2, { ...approved("pending"), ...ofPleroma(2) }),
      fenLiuPost(3, { ...approved("delivered"), ...ofPleroma(3) }),
      fenLiuPost(4, { ...approved("pending"), ...ofPleroma(4) }),
    ],
  });
  await importFenLiu(file);

  await checkSource(1);
  expect(await db.post.findUnique({ where: { id: 1 } })).toMatchObject({
    uri: objectOf(1),
    uri_derived: false,
    from_home: true,
  });
  const confirmed = await db.queue_entry.findUniqueOrThrow({ where: { post_id: 1 } });
  expect(confirmed.holds & (holdBits.unconfirmed | holdBits.unverifiable)).toBe(0);

  // Fetched from a server that does not know the url.
  const stream = await target({ instance: "pleroma.example" });
  await ingest(stream, [{ ...shownAtHome(2), url: null }]);
  const fetched = await db.post.findUniqueOrThrow({ where: { uri: objectOf(2) } });
  expect(fetched.id).not.toBe(2);
  await checkSource(2);
  expect(await db.post.findUnique({ where: { uri: objectOf(2) } })).toMatchObject({ id: 2, approved: true });
  expect(await db.post.count({ where: { id: fetched.id } })).toBe(0);
  expect(await db.queue_entry.count({ where: { post_id: 2 } })).toBe(1);
});

test("a fetched copy of a delivered post is the same post, and one of a waiting post changes nothing", async () => {
  const stream = await target({ instance: "reader2.example" });
  const copies = [3, 4].map((id) => ({
    ...shownAtHome(id),
    account: { ...shownAtHome(id).account, acct: "p@pleroma.example" },
  }));
  await ingest(stream, copies);
  expect(await db.post.findUnique({ where: { uri: objectOf(3) } })).toMatchObject({ id: 3 });
  expect(await db.post.findUnique({ where: { id: 4 } })).toMatchObject({ uri: notice(4) });
});
