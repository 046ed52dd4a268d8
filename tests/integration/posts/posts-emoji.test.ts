import { expect, it } from "vitest";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import type { PostDetail, PostList } from "#lib/review/post-schema.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

/*
 * Answers contain only the custom emoji that the name or text uses, by their index among all that were
 * received.
 */

const send = sender({ key: await makeKey() });
const url = (shortcode: string) => `https://mastodon.example/emoji/${shortcode}.png`;
const sent = (...shortcodes: string[]) => shortcodes.map((shortcode) => ({ shortcode, url: url(shortcode) }));
const picked = (shortcode: string, n: number) => ({ shortcode, url: url(shortcode), n });
const poll = { options: [{ title: "Yes :vote:", votes: 1 }], multiple: false, votes: 1, voters: null };

const profile = Array.from({ length: 100 }, (_, n) => `of_profile_${n}`);
const post = {
  author_username: "dora",
  author_display_name: "Dora :cat:",
  content: "<p>Hello :wave:</p>",
  snippet: "Hello :wave:",
  spoiler_text: "On :tea:",
  poll,
  emojis: sent("wave", ...profile, "cat", "tea", "vote"),
};
const all = [picked("wave", 0), picked("cat", 101), picked("tea", 102), picked("vote", 103)];

it("posts of lists have poll and emoji like cards and single posts", async () => {
  const { id } = await makePost(post);
  await makePost();
  const list = await send<PostList>("GET posts?order=oldest");
  expect(list.json.items).toMatchObject([
    { poll: null, emojis: [] },
    { id, poll, emojis: all },
  ]);
  const deck = await send<Deck>("GET review/deck?author=@dora@mastodon.example");
  expect(deck.json.items).toMatchObject([{ id, poll, emojis: all }]);
  const one = await send<PostDetail>(`GET posts/${id}`);
  expect(one.json).toMatchObject({ poll, emojis: all });
  const decision = { id: "1b8f9f2e-7a57-4b8e-9a55-0d1f6a1c7e11", post_id: id, decision: "approve" };
  const answer = await send<{ results: DecisionResult[] }>("POST review/decisions", {
    decisions: [decision],
  });
  expect(answer.json.results).toMatchObject([{ result: "applied", post: { emojis: all } }]);
});
