import { randomUUID } from "node:crypto";
import { PUT as putOptOut } from "#app/api/v1/opt-outs/[account]/route.ts";
import { DELETE as deleteHashtag } from "#app/api/v1/reblog-controls/blocked-hashtags/[id]/route.ts";
import { POST as postHashtags } from "#app/api/v1/reblog-controls/blocked-hashtags/import/route.ts";
import { POST as postHashtag } from "#app/api/v1/reblog-controls/blocked-hashtags/route.ts";
import { DELETE as deleteUser } from "#app/api/v1/reblog-controls/blocked-users/[id]/route.ts";
import { POST as postUsers } from "#app/api/v1/reblog-controls/blocked-users/import/route.ts";
import { POST as postUser } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import { POST as postRejection } from "#app/api/v1/reblog-controls/reject-blocked/route.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { addBlock } from "#lib/blocking/blocks.ts";
import { reportOptOut } from "#lib/consent/opt-outs.ts";
import { db } from "#lib/db.ts";
import { makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { type ActionRow, type Caller } from "./action-row.ts";
import { postStates } from "./review-rows.ts";

/** A server with two authors: three approved posts, two that wait. */
async function makeHost() {
  const instance = `${randomUUID()}.example`;
  const [ann, bob] = [
    { author_username: "ann", instance },
    { author_username: "bob", instance: `sub.${instance}` },
  ];
  const pending = [await makePending(ann), await makePending(ann), await makePending(bob)];
  const waiting = [await makePost(ann), await makePost(bob)];
  const ids = [...pending, ...waiting].map(({ id }) => id);
  const wait = async (author = ann) => ids.push((await makePost(author)).id);
  return { instance, ann: `ann@${instance}`, ids, wait, first: waiting[0]!.id };
}

/** Posts and both lists. */
const lists = async (ids: number[]) => ({
  ...(await postStates(ids)),
  users: await db.blocked_user.findMany({ orderBy: { id: "asc" } }),
  hashtags: await db.blocked_hashtag.findMany({ orderBy: { id: "asc" } }),
});

/** An author with a report that holds two approved posts to dismiss, or none to confirm. */
async function makeReport(caller: Caller, resolution: "confirmed" | "dismissed") {
  const { ann, ids } = await makeHost();
  // The posts of a confirmed opt-out are deleted for good: see opt-outs-confirmed.test.ts.
  if (resolution === "confirmed") await db.post.deleteMany({ where: { author_key: ann } });
  await reportOptOut(servicePrincipal, () =>
    Promise.resolve({ author_key: ann, post_id: ids[0]!, reason: "nobot" }),
  );
  const body = { account: `@${ann}`, resolution };
  const state = async () => ({
    ...(await lists(ids)),
    report: await db.reported_opt_out.findUniqueOrThrow({ where: { author_key: ann } }),
  });
  return {
    state,
    preview: { action: "opt_out", body },
    act: (preview: string | undefined) =>
      caller.post(putOptOut, `opt-outs/@${ann}`, { resolution, preview }, { account: `@${ann}` }, "PUT"),
  };
}

const usersPath = "reblog-controls/blocked-users";
const tagsPath = "reblog-controls/blocked-hashtags";

export const blockRows: ActionRow[] = [
  {
    name: "a block of an author that rejects the waiting posts",
    prepare: async (caller) => {
      const { ann, ids, wait } = await makeHost();
      const body = { account_identifier: ann, reject_waiting: true };
      return {
        state: () => lists(ids),
        preview: { action: "block_user", body },
        appear: wait,
        act: (preview) => caller.post(postUser, usersPath, { ...body, preview }),
        changes: 1 + 2 + 1,
      };
    },
  },
  {
    name: "a block of an author that rejects only the post on the desk",
    prepare: async (caller) => {
      const { ann, ids, wait, first } = await makeHost();
      await wait();
      const body = { account_identifier: ann, post_id: first };
      return {
        state: () => lists(ids),
        preview: { action: "block_user", body },
        act: (preview) => caller.post(postUser, usersPath, { ...body, preview }),
        changes: 1 + 2 + 1,
      };
    },
  },
  {
    name: "a block of a domain that leaves the waiting posts and replaces a suffix",
    prepare: async (caller) => {
      const { instance, ids } = await makeHost();
      await addBlock("user", servicePrincipal, {
        account_identifier: `.${instance}`,
        pattern_type: "suffix",
        notes: "below",
      });
      const body = { account_identifier: instance, pattern_type: "suffix", subdomains: true };
      return {
        state: () => lists(ids),
        preview: { action: "block_user", body },
        act: (preview) => caller.post(postUser, usersPath, { ...body, preview }),
        changes: 1 + 2,
      };
    },
  },
  {
    name: "a block of the hashtag of an own stream, with the second step",
    prepare: async (caller) => {
      const stream = await makeStream();
      const [pending, waiting] = [
        await makePending({ stream_id: stream.id, hashtags: [] }),
        await makePost({ stream_id: stream.id, hashtags: [stream.hashtag] }),
      ];
      const ids = [pending.id, waiting.id];
      const body = { hashtag: stream.hashtag, reject_waiting: true };
      return {
        state: () => lists(ids),
        preview: { action: "block_hashtag", body },
        appear: async () => ids.push((await makePost({ stream_id: stream.id })).id),
        act: (preview) => caller.post(postHashtag, tagsPath, { ...body, preview, confirm: true }),
        changes: 1 + 1 + 1,
      };
    },
  },
  {
    name: "the removal of a blocked domain",
    prepare: async (caller) => {
      const { instance, ids } = await makeHost();
      const { id } = await addBlock("user", servicePrincipal, {
        account_identifier: instance,
        pattern_type: "suffix",
        subdomains: true,
        notes: "why",
      });
      const act = (preview: string | undefined) =>
        caller.post(
          deleteUser,
          `${usersPath}/${id}${preview === undefined ? "" : `?preview=${preview}`}`,
          undefined,
          { id: String(id) },
          "DELETE",
        );
      return {
        state: () => lists(ids),
        preview: { action: "unblock_user", body: { id } },
        act,
        changes: 1 + 3,
      };
    },
  },
  {
    name: "the removal of a blocked hashtag, without a preview",
    prepare: async (caller) => {
      const hashtag = `t${randomUUID().replaceAll("-", "")}`;
      const { id: post } = await makePending({ hashtags: [hashtag] });
      const { id } = await addBlock("hashtag", servicePrincipal, { hashtag });
      const params = { id: String(id) };
      return {
        state: () => lists([post]),
        act: () => caller.post(deleteHashtag, `${tagsPath}/${id}`, undefined, params, "DELETE"),
        changes: 1 + 1,
        again: 404,
      };
    },
  },
  {
    name: "an import of blocked users",
    prepare: async (caller) => {
      const { instance, ann, ids } = await makeHost();
      await addBlock("user", servicePrincipal, { account_identifier: ann, pattern_type: "exact" });
      const body = { text: `${ann}\n${instance}\nnobody@elsewhere-${instance}\n` };
      return {
        state: () => lists(ids),
        preview: { action: "import_users", body },
        act: (preview) => caller.post(postUsers, `${usersPath}/import`, { ...body, preview }),
        changes: 2 + 1,
      };
    },
  },
  {
    name: "an import of blocked hashtags",
    prepare: async (caller) => {
      const hashtag = `t${randomUUID().replaceAll("-", "")}`;
      const { id } = await makePending({ hashtags: [hashtag] });
      const body = { text: `${hashtag}\n${hashtag}b\n` };
      return {
        state: () => lists([id]),
        preview: { action: "import_hashtags", body },
        act: (preview) => caller.post(postHashtags, `${tagsPath}/import`, { ...body, preview }),
        changes: 2 + 1,
      };
    },
  },
  {
    name: "the dismissal of a reported opt-out",
    prepare: async (caller) => ({ ...(await makeReport(caller, "dismissed")), changes: 1 + 2 }),
  },
  {
    name: "the confirmation of a reported opt-out, which blocks an author without stored posts",
    prepare: async (caller) => ({ ...(await makeReport(caller, "confirmed")), changes: 1 + 1 }),
  },
  {
    name: "the rejection of the posts that the lists block now",
    prepare: async (caller) => {
      // The action has no other limit than the lists.
      await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag`;
      const { instance, ids, wait } = await makeHost();
      const hashtag = `t${randomUUID().replaceAll("-", "")}`;
      ids.push((await makePost({ hashtags: [hashtag] })).id);
      await db.blocked_user.create({ data: { account_identifier: instance, pattern_type: "domain" } });
      await db.blocked_hashtag.create({ data: { hashtag, hashtag_folded: hashtag } });
      return {
        state: () => lists(ids),
        preview: { action: "reject_blocked", body: {} },
        appear: wait,
        act: (preview) => caller.post(postRejection, "reblog-controls/reject-blocked", { preview }),
        changes: 3,
      };
    },
  },
];
