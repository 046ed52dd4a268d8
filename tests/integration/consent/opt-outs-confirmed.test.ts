import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { learn } from "#lib/checks/learner/learn.ts";
import type { OptOutReach } from "#lib/collect/opt-out-schema.ts";
import { reportOptOut } from "#lib/collect/opt-outs.ts";
import { decide as decidePosts } from "#lib/review/decide.ts";
import { postIn, makeCallers } from "#tests/integration/posts/post-calls.ts";
import { next, settle } from "#tests/integration/queue/moves.ts";
import { historyOf } from "#tests/integration/streams/ingest-samples.ts";
import { makeCaller, type Caller } from "#tests/setup/caller.ts";
import { makeKey, makePending, makePost, unique } from "#tests/setup/factories.ts";

beforeAll(makeCallers);

/* A person confirms an opt-out that a boost bot reported. */

const newAuthor = () => {
  const author_username = `leaver${unique()}`;
  return { author_username, author_key: `${author_username}@mastodon.example` };
};
type Author = ReturnType<typeof newAuthor>;

const report = ({ author_key }: Author, post_id = 0) =>
  reportOptOut(servicePrincipal, () => Promise.resolve({ author_key, post_id, reason: "nobot" }));
const reportOf = ({ author_key }: Author) => db.reported_opt_out.findUniqueOrThrow({ where: { author_key } });
const postsOf = ({ author_key }: Author) => db.post.count({ where: { author_key } });
const blocksOf = ({ author_key }: Author) =>
  db.blocked_user.count({ where: { account_identifier: author_key } });

const decide = (
  caller: Caller,
  { author_key }: Author,
  resolution: "confirmed" | "dismissed" = "confirmed",
  query = "",
) => caller.send<OptOutReach>(`PUT opt-outs/@${author_key}${query}`, { resolution });
const count = async (caller: Caller, author: Author, resolution: "confirmed" | "dismissed" = "confirmed") =>
  (await decide(caller, author, resolution, "?dry_run=true")).json;

describe("a confirmed report of an opt-out", () => {
  it("forgets the author's posts in every state, with examples and figures, as the dry run counted", async () => {
    const [caller, author] = [await makeCaller(), newAuthor()];
    const states = ["unreviewed", "rejected", "pending", "reserved", "delivered", "error"] as const;
    const posts = [];
    for (const state of states) posts.push(await postIn(state, author));
    posts.push(await makePost({ ...author, from_home: false, confirmed_at: null }));
    const kept = await makePost(newAuthor());
    const waiting = await makePost(author);
    const { id: member_id, name: label } = caller.member;
    await inTransaction((tx) =>
      decidePosts(tx, { label, member_id, key_id: null, source: "screen" }, [waiting.id, kept.id], true),
    );
    await learn({ deadline: new Date(Date.now() + 20_000) });
    const all = [...posts, waiting];
    await report(author, posts[0]?.id);

    expect(await count(caller, author)).toEqual({ released: 0, held: 0, deleted: all.length });
    expect(await postsOf(author)).toBe(all.length);
    expect((await decide(caller, author)).status).toBe(204);

    expect([await postsOf(author), await blocksOf(author)]).toEqual([0, 1]);
    expect(await reportOf(author)).toMatchObject({ resolution: "confirmed", reason: "" });
    expect(await db.learnt.count({ where: { post_id: waiting.id } })).toBe(0);
    expect(await db.learnt.count({ where: { post_id: kept.id } })).toBe(1);
    for (const { id, uri } of all) {
      const [tombstone] = await db.$queryRaw<{ reason: string }[]>`
        SELECT reason FROM tombstone WHERE uri_hmac = uri_hmac(${uri})`;
      expect(tombstone).toEqual({ reason: "opt_out" });
      expect((await historyOf(id)).at(-1)).toMatchObject({
        action: "opt_out",
        to_state: "deleted",
        actor: label,
        member_id,
        source: "screen",
      });
    }
    expect(await db.post.count({ where: { id: kept.id } })).toBe(1);
    expect(await db.audit_event.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      action: "opt_out.confirmed",
      subject: `@${author.author_key}`,
      member_id,
      after: { deleted_posts: all.length },
    });
  });

  it("takes a reserved post from its consumer, as every deletion does", async () => {
    await db.queue_entry.deleteMany();
    const [caller, author, consumer] = [
      await makeCaller(),
      newAuthor(),
      await makeKey({ scopes: ["consume"] }),
    ];
    const { id } = await makePending(author);
    expect((await next(consumer)).json.fenliu_post_id).toBe(id);
    await report(author);
    expect((await decide(caller, author)).status).toBe(204);
    for (const verb of ["ack", "nack", "extend"] as const)
      expect((await settle(verb, consumer, id)).status).toBe(404);
    expect((await next(consumer)).status).toBe(204);
  });

  it("is made once by two reviewers", async () => {
    const [caller, other, author] = [await makeCaller(), await makeCaller(), newAuthor()];
    await makePost(author);
    await report(author);
    const both = await Promise.all([decide(caller, author), decide(other, author)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect([await postsOf(author), await blocksOf(author)]).toEqual([0, 1]);
  });

  it("without an open report deletes nothing", async () => {
    const [caller, author] = [await makeCaller(), newAuthor()];
    await makePost(author);
    const refused = await decide(caller, author);
    expect([refused.status, refused.json.detail]).toEqual([
      404,
      "No reported opt-out of this author is open",
    ]);
    expect(await postsOf(author)).toBe(1);
  });
});
