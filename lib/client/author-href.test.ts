import { expect, test } from "vitest";
import { authorHref } from "./author-href.ts";

test.each([
  ["@alice@mastodon.social", "/authors/alice@mastodon.social"],
  ["alice@127.0.0.1:4000", "/authors/alice@127.0.0.1:4000"],
  ["@a/b?c#d%@x.example", "/authors/a%2Fb%3Fc%23d%25@x.example"],
])("the page of %s is %s", (account, href) => {
  expect(authorHref(account)).toBe(href);
});
