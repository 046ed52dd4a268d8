import { describe, expect, it } from "vitest";
import { POST as generateKey } from "#app/api/v1/api-keys/generate/route.ts";
import { GET as listPosts } from "#app/api/v1/posts/route.ts";
import { PATCH as patchProfile } from "#app/api/v1/profile/route.ts";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import { MAX_CARDS } from "#lib/client/desk/cards.ts";
import { MAX_NOTE } from "#lib/client/desk/note.ts";
import { makeMember, makePost } from "#tests/setup/factories.ts";
import { call, type RouteHandler, sessionHeaders } from "#tests/setup/request.ts";

/* The server accepts the largest value that the screen accepts, and refuses the next one. */

const headers = await sessionHeaders(await makeMember("admin"));
const post = await makePost();

function send(handler: RouteHandler, method: string, query: string, body?: unknown) {
  return call(handler, { method, path: `/x${query}`, headers, ...(body === undefined ? {} : { body }) });
}
const decided = (more: object) =>
  send(decide, "POST", "", {
    decisions: [{ id: crypto.randomUUID(), post_id: post.id, decision: "reject", ...more }],
  });
const letters = (count: number) => "🐈".repeat(count);

const rules: [name: string, most: number, ask: (size: number) => ReturnType<typeof send>][] = [
  ["a note", MAX_NOTE, (size) => decided({ note: letters(size) })],
  ["a text for the log", 200, (size) => decided({ reason: letters(size) })],
  ["cards in hand", MAX_CARDS, (size) => send(getDeck, "GET", `?count=${size}`)],
  ["a search", 500, (size) => send(listPosts, "GET", `?q=${"x".repeat(size)}`)],
  ["a language", 35, (size) => send(listPosts, "GET", `?language=${"x".repeat(size)}`)],
  ["a member's name", 100, (size) => send(patchProfile, "PATCH", "", { name: "x".repeat(size) })],
  [
    "a key's name",
    100,
    (size) => send(generateKey, "POST", "", { name: "x".repeat(size), scopes: ["read"] }),
  ],
];

describe.each(rules)("%s of at most %i", (_name, most, ask) => {
  it("accepts the limit and refuses one more", async () => {
    const taken = await ask(most);
    expect(taken.status, taken.text).toBeLessThan(300);
    expect((await ask(most + 1)).status).toBe(422);
  });
});
