import { expect, it } from "vitest";
import { ApiError } from "#lib/base/errors.ts";
import { parseJson, readBody } from "./read-body.ts";

const LIMIT = 256 * 1024;

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request("http://sluice.example/api/v1/posts", { method: "POST", body, headers });

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return "none";
}

it("reads UTF-8, and a missing body as an empty text", async () => {
  expect(await readBody(post("für Ä"))).toBe("für Ä");
  expect(await readBody(post(null))).toBe("");
});

it("rejects invalid UTF-8 instead of replacing it", async () => {
  const bytes = new Uint8Array([0x22, 0xff, 0xfe, 0x22]);
  expect(await codeOf(() => readBody(post(bytes)))).toBe("invalid_json");
});

it("accepts at most 256 KiB by content and by Content-Length", async () => {
  expect(await readBody(post("x".repeat(LIMIT)))).toHaveLength(LIMIT);
  expect(await codeOf(() => readBody(post("x".repeat(LIMIT + 1))))).toBe("body_too_large");
  expect(await codeOf(() => readBody(post("x", { "content-length": String(LIMIT + 1) })))).toBe(
    "body_too_large",
  );
});

it("rejects an empty body as JSON", async () => {
  expect(await codeOf(() => parseJson(""))).toBe("invalid_json");
});
