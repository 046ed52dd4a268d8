import { expect, it } from "vitest";
import { normaliseUserPattern } from "./user-patterns.ts";
import { writtenDomain } from "./schema.ts";

it.each([
  ["brezel.example", "brezel.example"],
  [" @Brezel.example ", "brezel.example"],
  ["https://brezel.example/", "brezel.example"],
  ["http://very.brezel.example", "very.brezel.example"],
  ["bücher.example", "bücher.example"],
  ["127.0.0.1:4400", "127.0.0.1:4400"],
])("%s is a domain, which no account can be", (written, domain) => {
  expect(writtenDomain(written)).toBe(domain);
  expect(normaliseUserPattern(written, "exact").ok).toBe(false);
  expect(normaliseUserPattern(domain, "domain").ok).toBe(true);
});

it.each([
  "@ana@brezel.example",
  "ana@brezel.example",
  "https://brezel.example/@ana",
  "https://brezel.example/about",
  "acct:ana@brezel.example",
  "*.example",
  "brezel",
  "",
])("%s is no domain", (written) => {
  expect(writtenDomain(written)).toBeNull();
});
