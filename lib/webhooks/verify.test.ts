import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newSecret, signedHeaders } from "./sign.ts";

/* The examples of docs/api.md#webhooks. */

const docs = readFileSync("docs/api.md", "utf8");
const exampleOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([^]*?isFromSluice|[^]*?is_from_sluice)([^]*?)^\`\`\``, "m")
    .exec(docs)
    ?.slice(1)
    .join("") ?? "";

const secret = newSecret();
const now = Math.floor(Date.now() / 1000);
const body = '{"type":"test","data":{"name":"Zoë"}}';
const headersAt = (seconds: number, secrets = [secret]) => signedHeaders("a-message", seconds, body, secrets);

const cases: [string, boolean, Record<string, string>, string?][] = [
  ["a message", true, headersAt(now)],
  ["a message with two signatures", true, headersAt(now, [newSecret(), secret])],
  ["another body", false, headersAt(now), `${body} `],
  ["another secret", false, headersAt(now, [newSecret()])],
  ["another id", false, { ...headersAt(now), "webhook-id": "another" }],
  ["a message of an hour ago", false, headersAt(now - 3600)],
  ["a message of the next hour", false, headersAt(now + 3600)],
  ["a signature that is no ASCII", false, { ...headersAt(now), "webhook-signature": "v1,ä" }],
  ["no headers", false, {}],
];

describe("the example in Node.js", () => {
  it.each(cases)("judges %s", async (_what, expected, headers, sent = body) => {
    const code = `data:text/javascript,${encodeURIComponent(exampleOf("js"))}`;
    const { isFromSluice } = (await import(/* @vite-ignore */ code)) as {
      isFromSluice: (headers: object, body: Buffer, secret: string) => boolean;
    };
    expect(isFromSluice(headers, Buffer.from(sent), secret)).toBe(expected);
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(!hasPython)("the example in Python", () => {
  it("judges all messages", () => {
    const calls = cases.map(([, , headers, sent = body]) => [headers, sent]);
    const run = `
import json, sys
secret, calls = json.load(sys.stdin)
print(json.dumps([is_from_sluice(headers, body.encode(), secret) for headers, body in calls]))`;
    const { stdout, stderr } = spawnSync("python3", ["-c", exampleOf("python") + run], {
      input: JSON.stringify([secret, calls]),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(cases.map(([, expected]) => expected));
  });
});
