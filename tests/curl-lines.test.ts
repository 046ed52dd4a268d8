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

  it("does not expand single quotes, and refuses unsupported options", () => {
    expect(readCurl(`curl "u" -d '{"a": "$B"}'`, {}).body).toBe('{"a": "$B"}');
    expect(() => readCurl("curl --data x u", {})).toThrow("--data is not supported");
    expect(() => readCurl('curl "$NOBODY"', {})).toThrow("$NOBODY is not set");
  });
});

describe("curlLines", () => {
  it("finds curl lines in shell blocks only", () => {
    expect(curlLines("curl a\n```sh\nX=1\ncurl b\n```\n```js\ncurl c\n```\n")).toEqual(["curl b"]);
  });
});
