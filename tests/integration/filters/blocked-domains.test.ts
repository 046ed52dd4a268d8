import { beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { BlockedUser } from "#lib/blocking/schema.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";
import { holdsOf, wrongEntries } from "./filters-queue.ts";

const path = "reblog-controls/blocked-users";
let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, hold_change, post CASCADE`;
});

const add = (body: object) => send<BlockedUser>(`POST ${path}`, body);
const addDomain = (domain: string) =>
  add({ account_identifier: `@${domain}`, pattern_type: "suffix", subdomains: true });
const list = async () => (await send<BlockedUser[]>(`GET ${path}`)).json;
const remove = (id: number) => send(`DELETE ${path}/${id}`);

test("a blocked domain is one entry that holds its host and all below, and one removal releases them", async () => {
  const [host, below, other] = [
    await makePending({ author_username: "a", instance: "bad.example" }),
    await makePending({ author_username: "b", instance: "very.bad.example" }),
    await makePending({ author_username: "c", instance: "notbad.example" }),
  ];
  const entry = await addDomain("bad.example");
  expect(entry).toMatchObject({
    status: 201,
    json: { account_identifier: "@bad.example", pattern_type: "suffix", subdomains: true, matches: 2 },
  });
  const held = () => Promise.all([host, below, other].map(({ id }) => holdsOf(db, id)));
  expect(await held()).toEqual([1, 1, 0]);
  expect(await list()).toMatchObject([{ id: entry.json.id, matches: 2 }]);
  expect(await wrongEntries(db)).toEqual([]);
  expect((await remove(entry.json.id)).status).toBe(204);
  expect(await held()).toEqual([0, 0, 0]);
  expect(await list()).toEqual([]);
});
