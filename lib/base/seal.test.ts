import { expect, test } from "vitest";
import { seal, unseal } from "./seal.ts";

const key = "k".repeat(43);

/** Version, nonce, tag, text. */
const nonceOf = (sealed: Uint8Array) => Buffer.from(sealed.subarray(1, 13)).toString("hex");

test("a sealed text is read with its key and context only", () => {
  const sealed = seal(key, "social.example", "token");
  expect(unseal(key, "social.example", sealed)).toBe("token");
  expect(unseal(key, "other.example", sealed)).toBeNull();
  expect(unseal("o".repeat(43), "social.example", sealed)).toBeNull();
});

test("a nonce is never used twice: with one key, that would reveal both texts", () => {
  const nonces = Array.from({ length: 500 }, () => nonceOf(seal(key, "social.example", "token")));
  expect(new Set(nonces).size).toBe(500);
});

test("a changed byte is noticed", () => {
  const sealed = seal(key, "social.example", "token");
  for (let index = 0; index < sealed.length; index++) {
    const changed = Uint8Array.from(sealed, (byte, at) => (at === index ? byte ^ 1 : byte));
    expect(unseal(key, "social.example", changed)).toBeNull();
  }
  expect(unseal(key, "social.example", sealed.subarray(0, 20))).toBeNull();
});
