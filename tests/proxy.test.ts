import { readdirSync } from "node:fs";
import { NextRequest } from "next/server.js";
import { describe, expect, it } from "vitest";
import { config, proxy } from "../proxy.ts";

function policyOf(path: string): string {
  return proxy(new NextRequest(`http://localhost${path}`)).headers.get("content-security-policy") ?? "";
}

describe("content policy", () => {
  it("runs scripts with this answer's nonce only", () => {
    const nonces = [policyOf("/"), policyOf("/")].map((policy) => {
      expect(policy).toMatch(/script-src 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic'(;|$)/);
      return /'nonce-([^']+)'/.exec(policy)?.[1];
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });
  it("asks no other host for anything and cannot be framed", () => {
    const policy = policyOf("/review");
    for (const part of ["img", "media", "connect", "font"]) expect(policy).toContain(`${part}-src 'self'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
  });
  it("hands the nonce to Next through the request", () => {
    const answer = proxy(new NextRequest("http://localhost/"));
    expect(answer.headers.get("x-middleware-request-content-security-policy")).toBe(
      answer.headers.get("content-security-policy"),
    );
  });
});

describe("x-page", () => {
  it("is the page that was asked for, whatever the caller says it is", () => {
    const headers = { "x-page": "https://elsewhere.example/" };
    const answer = proxy(new NextRequest("http://localhost/queue?state=error", { headers }));
    expect(answer.headers.get("x-middleware-request-x-page")).toBe("/queue?state=error");
  });
});

describe("matcher", () => {
  const pattern = new RegExp(`^${config.matcher[0]?.source ?? ""}$`);
  it.each([
    [
      "meets",
      true,
      "/ /review /queue/errors /docs /apiary /healthy /authors/alice@mastodon.social /nothing.png",
    ],
    ["meets", true, "/media/nothing /media/post/1/0/nothing /_next/nothing /review/desk.webp"],
    ["leaves", false, "/api /api/v1/curated/12/ack /_next/static/chunks/a.js /health /readyz /icon.svg"],
    ["leaves", false, "/media/post/1/0/file /media/avatar/1 /media/emoji/1/0 /media/duplicate/1/current"],
  ])("%s (%s) %s", (_name, isMet, paths) => {
    expect(paths.split(" ").filter((each) => pattern.test(each) !== isMet)).toEqual([]);
  });
  it("leaves every file of public and app alone", () => {
    const files = [
      ...readdirSync("public"),
      ...readdirSync("app").filter((name) => /\.(svg|png|ico)$/.test(name)),
    ];
    expect(files.filter((name) => pattern.test(`/${name}`))).toEqual([]);
  });
  it("has no exception for prefetches", () => {
    expect(config.matcher.map((each) => Object.keys(each))).toEqual([["source"]]);
  });
});
