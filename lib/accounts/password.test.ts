import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./password.ts";

/* OWASP's minimum for argon2id: 19 MiB, two passes. */
test("a guess costs at least 19 MiB of memory and two passes", async () => {
  const [, kind, , cost = ""] = (await hashPassword("correct horse")).split("$");
  const { m, t, p } = Object.fromEntries(
    cost.split(",").map((part) => [part.charAt(0), Number(part.slice(2))]),
  );
  expect(kind).toBe("argon2id");
  expect(m).toBeGreaterThanOrEqual(19_456);
  expect(t).toBeGreaterThanOrEqual(2);
  expect(p).toBe(1);
});

test("two hashes of one password differ, and both accept it alone", async () => {
  const [first, second] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(first).not.toBe(second);
  for (const stored of [first, second]) {
    expect(await isPassword(stored, "correct horse")).toBe(true);
    expect(await isPassword(stored, "correct horses")).toBe(false);
  }
  expect(await isPassword(null, "correct horse")).toBe(false);
});
