import { describe, expect, it } from "vitest";
import { curlLines, readCurl } from "./setup/curl-lines.ts";

describe("readCurl", () => {
  it("reads method, headers, body and variables", () => {
    const line = `curl -X POST "$SLUICE/streams" -H "X-API-Key: $KEY" -d "{\\"hashtag\\": \\"$TAG\\"}"`;
    expect(readCurl(line, { SLUICE: "http://x/api/v1", KEY: "k", TAG: "cats" })).toEqual({
      method: "POST",
      url: "http://x/api/v1/streams",
      headers: { "X-API-Key": "k" },
      body: '{"hashtag": "cats"}',
    });
  });

  it("leaves single quotes alone and refuses what it does not understand", () => {
    expect(readCurl(`curl "u" -d '{"a": "$B"}'`, {}).body).toBe('{"a": "$B"}');
    expect(() => readCurl("curl --data x u", {})).toThrow("--data is not understood");
    expect(() => readCurl('curl "$NOBODY"', {})).toThrow("$NOBODY is not set");
  });
});

describe("curlLines", () => {
  it("takes them out of shell blocks only", () => {
    expect(curlLines("curl a\n```sh\nX=1\ncurl b\n```\n```js\ncurl c\n```\n")).toEqual(["curl b"]);
  });
});
