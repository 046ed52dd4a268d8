import { expect, it } from "vitest";
import { ACCOUNT, CONTEXT, STATUS } from "#tests/setup/status-sample.ts";
import { activityToStatus } from "./activity-status.ts";
import { MisskeyNote, misskeyNoteToStatus, MisskeyProfile } from "./misskey-note.ts";
import { normaliseStatus } from "./normalise-status.ts";

/* Posts in the shape of each software, with invented words. The source of each shape is named. */

const { host: HOST } = CONTEXT;
const tagLink = `<a href="https://${HOST}/tags/herons" class="mention hashtag" rel="tag">#<span>herons</span></a>`;

const account = { ...ACCOUNT, display_name: "Alice", locked: false, emojis: [] };
const medium = { type: "image", url: `https://${HOST}/5.jpg`, preview_url: null, description: "A heron" };
/** Fields that all servers with Mastodon's API send. */
const common = {
  ...STATUS,
  sensitive: false,
  spoiler_text: "",
  language: null as string | null,
  content: `<p>At the weir ${tagLink}</p>`,
  account,
  media_attachments: [medium],
  mentions: [],
  tags: [{ name: "herons", url: `https://${HOST}/tags/herons` }],
  card: null,
};
const quoted = {
  id: "1",
  uri: "https://q.example/users/bo/statuses/1",
  url: "https://q.example/@bo/1",
  content: "<p>A swan</p>",
  account: { id: "2", username: "bo", acct: "bo@q.example", display_name: "Bo" },
};

/** https://docs.joinmastodon.org/entities/Status/ and /entities/Quote/, Mastodon 4.5 */
const mastodon = {
  ...common,
  uri: `https://${HOST}/ap/users/11/statuses/115500000000000001`,
  content: `<p class="quote-inline">RE: <a href="https://q.example/@bo/1">q.example/@bo/1</a></p><p>At the weir ${tagLink}</p>`,
  quote: { state: "accepted", quoted_status: quoted },
  quote_approval: { automatic: ["public"], manual: [], current_user: "denied" },
  media_attachments: [{ ...medium, meta: { original: { width: 4, height: 3 }, focus: { x: 0, y: 0 } } }],
};

/** https://docs.gotosocial.org/en/latest/api/swagger/ (`status`; internal/api/model/status.go) */
const gotosocial = {
  ...common,
  id: "01JDBVD42CQ3ZEEVMW180SBX03",
  in_reply_to_id: "01JDBVD42CQ3ZEEVMW180SBX02",
  in_reply_to_account_id: account.id,
  local_only: false,
  uri: `https://${HOST}/users/alice/statuses/01JDBVD42CQ3ZEEVMW180SBX03`,
  url: `https://${HOST}/@alice/statuses/01JDBVD42CQ3ZEEVMW180SBX03`,
  account: { ...account, display_name: "", locked: true },
  interaction_policy: {
    can_favourite: { automatic_approval: ["public", "me"], manual_approval: [] },
    can_reblog: { automatic_approval: ["followers", "me"], manual_approval: ["public"] },
  },
};

/** github.com/pixelfed/pixelfed, app/Transformer/Api/StatusStatelessTransformer.php */
const { replies_count: _, ...uncounted } = common;
const pixelfed = {
  ...uncounted,
  _v: 1,
  uri: `https://${HOST}/p/alice/700000000000000001`,
  url: `https://${HOST}/p/alice/700000000000000001`,
  content: `At the weir <a href="https://${HOST}/discover/tags/herons?src=hash" title="#herons" class="u-url hashtag">#herons</a>`,
  content_text: "At the weir #herons",
  pf_type: "photo",
  reply_count: 1,
  replies: [],
  parent: [],
  media_attachments: [{ ...medium, meta: null, mime: "image/jpeg", is_nsfw: 0 }],
};

/** github.com/misskey-dev/misskey, packages/backend/src/models/json-schema/{note,user,drive-file}.ts */
const misskey = {
  id: "a1b2c3d4e5",
  createdAt: STATUS.created_at,
  user: {
    id: "u1",
    name: null,
    username: "alice",
    host: null,
    avatarUrl: `https://${HOST}/a.webp`,
  },
  text: "At the weir #herons",
  cw: null,
  visibility: "public",
  localOnly: false,
  renoteCount: 3,
  repliesCount: 1,
  reactionCount: 5,
  reactions: { "❤": 4, ":heron@.:": 1 },
  tags: ["herons"],
  files: [
    {
      type: "image/jpeg",
      properties: { width: 4, height: 3 },
      url: `https://${HOST}/5.jpg`,
      thumbnailUrl: `https://${HOST}/5s.webp`,
      comment: "A heron",
    },
  ],
  replyId: null,
  renoteId: null,
};
const misskeyProfile = { id: "u1", description: "#Birds", fields: [], isLocked: false, noCrawle: false };

/** docs.akkoma.dev, development/API/differences_in_mastoapi_responses */
const akkoma = {
  ...common,
  uri: `https://${HOST}/objects/0b7c`,
  url: `https://${HOST}/notice/AzYxWvUtSrQp`,
  content: `At the weir <a class="hashtag" data-tag="herons" href="https://${HOST}/tag/herons">#herons</a><span class="quote-inline"><br/><br/>RE: <a href="https://q.example/objects/1">https://q.example/objects/1</a></span>`,
  account: { ...account, fqn: `alice@${HOST}`, pleroma: { ap_id: `https://${HOST}/users/alice`, tags: [] } },
  emoji_reactions: [{ name: "☕", count: 2, me: false, account_ids: ["B"] }],
  quote_id: "Quoted",
  quote: { ...quoted, uri: "https://q.example/objects/1" },
  pleroma: { local: true, content: { "text/plain": "At the weir #herons" }, thread_muted: false },
};

/** github.com/friendica/friendica, src/Object/Api/Mastodon/Status.php */
const friendica = {
  ...common,
  in_reply_to_status: null,
  language: "en",
  uri: `https://${HOST}/objects/2a7f-11`,
  url: `https://${HOST}/display/2a7f-11`,
  content: `At the weir #<a href="https://${HOST}/search?tag=herons" rel="tag">herons</a>`,
  account: { ...account, bot: null, group: false },
  friendica: { title: "", changed_at: "2026-11-21T10:05:00Z", dislikes_count: 0 },
};

/** https://docs-develop.pleroma.social (`Question`), and join-lemmy.org/docs/contributors/05-federation.html (`Link`) */
const object = {
  id: `https://${HOST}/objects/0b7d`,
  type: "Question",
  to: "https://www.w3.org/ns/activitystreams#Public",
  published: STATUS.created_at,
  content: `<p>At the weir ${tagLink}</p>`,
  tag: [{ type: "Hashtag", name: "#herons" }],
  attachment: [
    { type: "Document", mediaType: "image/jpeg", url: medium.url, name: "A heron" },
    { type: "Link", href: "https://news.example/a" },
  ],
  oneOf: [{ name: "Yes", replies: { totalItems: 2 } }, { name: "No" }],
  closed: STATUS.created_at,
  shares: { totalItems: 3 },
  likes: { totalItems: 5 },
  replies: { totalItems: 1 },
};
const actor = { id: `https://${HOST}/users/alice`, type: "Person", preferredUsername: "alice" };
const options = [
  { title: "Yes", votes: 2 },
  { title: "No", votes: null },
];

it.each([
  [
    "an ActivityPub server",
    activityToStatus(object, actor),
    { poll: { options, multiple: false, expired: true, votes: 2 } },
  ],
  ["Mastodon 4.5", mastodon, { url: mastodon.url, quote: { uri: mastodon.quote.quoted_status.uri } }],
  ["GoToSocial", gotosocial, { can_announce: false, is_own_thread: true, author: { locked: true } }],
  ["Pixelfed", pixelfed, { url: pixelfed.url }],
  [
    "Misskey",
    misskeyNoteToStatus(MisskeyNote.parse(misskey), MisskeyProfile.parse(misskeyProfile), `https://${HOST}`),
    { uri: `https://${HOST}/notes/${misskey.id}`, author: { tags: ["birds"], noindex: false } },
  ],
  ["Akkoma", akkoma, { quote: { uri: akkoma.quote.uri, account: "@bo@q.example" } }],
  ["Friendica", friendica, { language: "en" }],
])("a post of %s is read in full", (_software, answer, own) => {
  const result = normaliseStatus(answer, CONTEXT);
  expect(result).toMatchObject({
    ok: true,
    post: {
      from_home: true,
      plain_text: "At the weir #herons",
      snippet: "At the weir #herons",
      hashtags: ["herons"],
      created_at: STATUS.created_at,
      edited_at: null,
      visibility: "public",
      author: { account: `@alice@${HOST}`, is_bot: false },
      media: [{ type: "image", description: "A heron" }],
      boosts: 3,
      likes: 5,
      replies: 1,
    },
  });
  expect(result).toMatchObject({ post: own });
});
