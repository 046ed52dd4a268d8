import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptSecret } from "./kept-secrets.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-secret-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a secret is made once, long, and readable by its owner only", () => {
  const file = path.join(folder, "secret");
  const secret = keptSecret(file);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(keptSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test("one that is there is taken as it is", () => {
  const file = path.join(folder, "secret");
  writeFileSync(file, "put here by hand, and long enough\n");
  expect(keptSecret(file)).toBe("put here by hand, and long enough");
  writeFileSync(file, "short\n");
  expect(keptSecret(file, 1)).toBe("short");
});

test.each(["", "\n", "cut off in the mid"])("one that a crash has left as %j is not used", (left) => {
  const file = path.join(folder, "secret");
  writeFileSync(file, left);
  expect(() => keptSecret(file)).toThrow(/secret holds no secret of 32 characters or more: put back a copy/);
});

test("two folders have two secrets", () => {
  expect(keptSecret(path.join(folder, "a"))).not.toBe(keptSecret(path.join(folder, "b")));
});
