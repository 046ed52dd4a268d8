export const NOW = new Date("2026-11-21T12:00:00.000Z");
export const CONTEXT = { host: "mastodon.example", now: NOW };

/** With every field a Mastodon server sends. */
export const ACCOUNT = {
  id: "7",
  username: "alice",
  acct: "alice",
  display_name: "Alice :blob:",
  url: "https://mastodon.example/@alice",
  note: '<p>I draw <a href="https://mastodon.example/tags/cats">#<span>cats</span></a></p>',
  fields: [{ name: "Site", value: '<a href="https://alice.example/">alice.example</a>', verified_at: null }],
  bot: false,
  locked: true,
  group: false,
  noindex: false,
  indexable: false,
  discoverable: true,
  created_at: "2022-11-05T00:00:00.000Z",
  avatar: "https://files.example/a.gif",
  avatar_static: "https://files.example/a.png",
  emojis: [
    {
      shortcode: "blob",
      url: "https://files.example/blob.gif",
      static_url: "https://files.example/blob.png",
    },
  ],
};

export const STATUS = {
  id: "113400000000000001",
  uri: "https://mastodon.example/users/alice/statuses/113400000000000001",
  url: "https://mastodon.example/@alice/113400000000000001",
  created_at: "2026-11-21T11:00:00.000Z",
  edited_at: null,
  visibility: "public",
  sensitive: true,
  spoiler_text: "pets",
  language: "en",
  content: '<p>Look <a href="https://mastodon.example/tags/Cats">#<span>Cats</span></a></p>',
  account: ACCOUNT,
  media_attachments: [
    {
      id: "1",
      type: "image",
      url: "https://files.example/1.jpg",
      preview_url: "https://files.example/1_small.jpg",
      remote_url: null,
      description: "A cat",
      blurhash: "UBL_:rOpGG-;~qRjWBay",
      meta: { original: { width: 1200, height: 800 }, small: { width: 600, height: 400 } },
    },
  ],
  tags: [
    { name: "cats", url: "https://mastodon.example/tags/cats" },
    { name: "Cats", url: "https://mastodon.example/tags/cats" },
    { name: "Café" },
  ],
  mentions: [{ id: "8" }],
  emojis: [],
  card: {
    url: "https://news.example/",
    title: "News",
    description: "d",
    type: "link",
    provider_name: "N",
    image: null,
  },
  poll: null,
  in_reply_to_id: null,
  reblog: null,
  reblogs_count: 3,
  favourites_count: 5,
  replies_count: 1,
};
