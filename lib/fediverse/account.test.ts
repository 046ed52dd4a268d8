import { expect, test } from "vitest";
import { authorKey } from "./account.ts";

test.each([
  ["@Alice@Mastodon.Social", "alice@mastodon.social"],
  ["alice@mastodon.social", "alice@mastodon.social"],
  [" https://mastodon.social/@Alice ", "alice@mastodon.social"],
  ["https://mastodon.social/users/alice/", "alice@mastodon.social"],
  ["bob@bücher.example", "bob@xn--bcher-kva.example"],
  ["bob@127.0.0.1:4001", "bob@127.0.0.1:4001"],
  ["alice", null],
  ["@alice", null],
  ["", null],
  ["a@b@c", null],
  ["a b@c.example", null],
  ["a@c.example:port", null],
])("authorKey converts %j to %j", (account, key) => {
  expect(authorKey(account)).toBe(key);
});
