import { expect, it } from "vitest";
import type { Deck } from "#lib/review/deck-schema.ts";
import { makeKey, makePost, makePosts } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

/* Deciding the waiting posts of one author together. */

const ann = await makeKey({ role: "reviewer" });
const bob = await makeKey({ role: "reviewer" });

const deck = async (key: string, query: string) =>
  (await sender({ key })<Deck>(`GET review/deck?${query}`)).json;

let authors = 0;
function makeAuthor() {
  const name = `writer${++authors}`;
  return { author_username: name, author_account: `@${name}@example.org`, author_key: `${name}@example.org` };
}

it("counts the other waiting posts of the author, without decided ones and those of other reviewers", async () => {
  const author = makeAuthor();
  const other = makeAuthor();
  await makePosts(5, author);
  await makePost({ ...author, approved: false, reviewed_at: new Date() });
  await makePost(other);
  const of = (account: string, query: string, key = ann) => deck(key, `author=${account}&${query}`);
  const first = await of(author.author_account, "count=1");
  expect(first.items[0]?.author_waiting).toBe(4);
  expect((await of(other.author_account, "count=1")).items[0]?.author_waiting).toBe(0);

  // One is leased to Ann now.
  const bobs = await of(author.author_account, "count=2", bob);
  expect(bobs.items.map((card) => card.author_waiting)).toEqual([3, 3]);
  expect((await of(author.author_account, "count=1")).items[0]?.author_waiting).toBe(2);
});
