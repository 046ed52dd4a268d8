import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { forgetAuthors } from "#lib/collect/forget-authors.ts";
import { reportOptOut } from "#lib/collect/opt-outs.ts";
import { decide } from "#lib/review/decide.ts";
import { holdsOf } from "#tests/integration/filters/filters-queue.ts";
import { ingest, postOf, status, target, type Status } from "#tests/integration/streams/ingest-samples.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";

/* Quoted and mentioned authors, and tags within the text, count for blocks and opt-outs. */

let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change, reported_opt_out, post CASCADE`;
});

const quoting = (quoted: object = {}, account: object = {}) =>
  status({
    quote: {
      state: "accepted",
      quoted_status: {
        uri: "https://bad.example/users/evil/statuses/1",
        url: "https://bad.example/@evil/1",
        content: "<p>Buy <b>now</b> #sale<script>alert(1)</script></p>",
        tags: [{ name: "Loot" }],
        account: { acct: "evil@bad.example", display_name: "Evil", ...account },
        ...quoted,
      },
    },
  });

const users = "reblog-controls/blocked-users";
const block = (account_identifier: string, pattern_type = "exact") =>
  send<{ id: number; matches: number }>(`POST ${users}`, { account_identifier, pattern_type });
const blockTag = (hashtag: string) => send("POST reblog-controls/blocked-hashtags", { hashtag });

async function approved(sent: Status): Promise<number> {
  expect(await ingest(await target(), [sent])).toMatchObject({ new: 1 });
  const { id } = await postOf(sent);
  await inTransaction((tx) => decide(tx, servicePrincipal, [id], true));
  return id;
}

describe("a post that quotes another one", () => {
  test("keeps author, address and the safe text of the quote", async () => {
    const sent = quoting();
    await ingest(await target(), [sent]);
    expect((await postOf(sent)).quote).toEqual({
      state: "accepted",
      uri: "https://bad.example/users/evil/statuses/1",
      url: "https://bad.example/@evil/1",
      account: "@evil@bad.example",
      name: "Evil",
      content: "<p>Buy <b>now</b> #sale</p>",
    });
  });

  test.each([
    ["account", "evil@bad.example", "exact"],
    ["domain", "@bad.example", "suffix"],
  ])("is held by a block of the quoted %s, and released with it", async (_kind, pattern, type) => {
    const id = await approved(quoting());
    const { status: code, json } = await block(pattern, type);
    expect([code, json.matches]).toEqual([201, 1]);
    expect(await holdsOf(db, id)).toBe(1);
    await send(`DELETE ${users}/${json.id}`);
    expect(await holdsOf(db, id)).toBe(0);
  });

  test.each(["bad.example", "loot", "sale"])(
    "is rejected on fetch when %s is blocked before",
    async (name) => {
      await (name.includes(".") ? block(`@${name}`, "suffix") : blockTag(name));
      expect(await ingest(await target(), [quoting()])).toMatchObject({ auto_rejected: 1 });
    },
  );

  test.each(["#loot", "#Sale"])("is held by a block of the hashtag %s of the quote", async (tag) => {
    const id = await approved(quoting());
    await blockTag(tag);
    expect(await holdsOf(db, id)).toBe(2);
  });

  test("is held while an opt-out of the quoted author is reported, and deleted when that author is forgotten", async () => {
    const id = await approved(quoting());
    const author_key = "evil@bad.example";
    await reportOptOut(servicePrincipal, () => Promise.resolve({ author_key, post_id: id, reason: "asked" }));
    expect(await holdsOf(db, id)).toBe(32);
    const refusal = { author_key, uri_host: "bad.example", rule: "refusal_tag" } as const;
    const { deleted } = await inTransaction((tx) => forgetAuthors(tx, [refusal]));
    expect(deleted).toEqual([id]);
  });

  test.each([
    ["the quoted profile", {}, { note: "<p>#nobot</p>" }, "quote_refused"],
    ["the quoted profile's noindex", {}, { noindex: true }, "quote_refused"],
    ["a tag of the quote", { tags: [{ name: "nobot" }] }, {}, "refusal_tag_on_post"],
    ["the text of the quote", { content: "<p>hello #NoBot</p>" }, {}, "refusal_tag_on_post"],
  ])("is dropped for a refusal in %s", async (_where, quoted, account, rule) => {
    expect(await ingest(await target(), [quoting(quoted, account)])).toMatchObject({
      new: 0,
      dropped: { [rule]: 1 },
    });
  });

  test("keeps what is known of the quote when its server names the address alone", async () => {
    const sent = quoting();
    const id = await approved(sent);
    const { quote } = await postOf(sent);
    await ingest(await target(), [{ ...sent, quote: { uri: "https://bad.example/users/evil/statuses/1" } }]);
    expect((await postOf(sent)).quote).toEqual(quote);
    await block("evil@bad.example");
    expect(await holdsOf(db, id)).toBe(1);
  });

  test("counts as it is shown now when an undo restores its place", async () => {
    const sent = quoting();
    const id = await approved({ ...sent, quote: null });
    const { json } = await send<{ batch_id: string }>("POST review/batch", {
      post_ids: [id],
      decision: "reject",
    });
    await ingest(await target(), [sent]);
    await send(`POST review/batch/${json.batch_id}/undo`);
    await block("evil@bad.example");
    expect(await holdsOf(db, id)).toBe(1);
  });

  test("counts by the host of its address when its author is not named", async () => {
    const id = await approved(quoting({ account: undefined }));
    await block("@bad.example", "suffix");
    expect(await holdsOf(db, id)).toBe(1);
  });
});

test.each([
  ["in the text", { content: "<p>look #BadTag</p>", tags: [{ name: "cats" }] }],
  [
    "as a link",
    { content: '<p><a href="https://x.example/tags/badtag">look</a></p>', tags: [{ name: "cats" }] },
  ],
  ["in the content warning", { spoiler_text: "#badtag", tags: [{ name: "cats" }] }],
])("a blocked hashtag counts %s, too", async (_where, given) => {
  const id = await approved(status(given));
  await blockTag("badtag");
  expect(await holdsOf(db, id)).toBe(2);
  expect(await ingest(await target(), [status(given)])).toMatchObject({ auto_rejected: 1 });
});

test("a block of the host of the author's address counts as one of the handle's host", async () => {
  const account = { username: "split", acct: "split@org.example", url: "https://social.org.example/@split" };
  const sent = { ...status({}, "social.org.example") };
  const id = await approved({ ...sent, account: { ...sent.account, ...account } });
  await block("@social.org.example", "suffix");
  expect(((await holdsOf(db, id)) ?? 0) & 1).toBe(1);
});
