import { expect, test } from "vitest";
import { urlsOfHosts } from "./db-client.ts";

test.each([
  ["postgresql://u:p@one/db", ["postgresql://u:p@one/db"]],
  ["postgresql://u:p,q@one/db?a=b,c", ["postgresql://u:p,q@one/db?a=b,c"]],
  [
    "postgresql://u:p,q@one:5433,two/db?sslmode=verify-full",
    ["postgresql://u:p,q@one:5433/db?sslmode=verify-full", "postgresql://u:p,q@two/db?sslmode=verify-full"],
  ],
  ["postgres://one,[::1]:5432", ["postgres://one", "postgres://[::1]:5432"]],
])("%s has one URL for each host", (url, urls) => {
  expect(urlsOfHosts(url)).toEqual(urls);
});
