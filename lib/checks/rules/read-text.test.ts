import { describe, expect, it } from "vitest";
import { readText } from "./read-text.ts";

const link = (href: string, label = "example.org/a…") =>
  `<a href="${href}" rel="nofollow" target="_blank">${label}</a>`;
const tag = (name: string) => link(`https://m.example/tags/${name}`, `#${name}`);
const mention = (name: string) => link(`https://m.example/@${name}`, `@${name}`);

describe("readText", () => {
  it("separates links from hashtags and mentions, each link once", () => {
    const html = `<p>See ${link("https://a.example/1")} ${link("https://a.example/1")} ${tag("cats")} ${mention("bob")}</p>`;
    expect(readText(html)).toMatchObject({
      links: ["https://a.example/1"],
      mentions: 1,
      onlyTagsAndLinks: false,
    });
  });

  it("finds addresses that are not links, and decodes entities", () => {
    const html = `<p>https://b.example/x ${link("https://a.example/?a=1&amp;b=2")}</p>`;
    expect(readText(html).links.sort()).toEqual(["https://a.example/?a=1&b=2", "https://b.example/x"]);
  });

  it.each([
    ["@alice @bob@host.example", 2],
    ["@alice @Alice", 1],
    ["mail me at bob@host.example", 0],
    ["https://m.example/@alice", 0],
    ["@アリス and @a.b", 2],
  ])("counts the accounts in %j", (text, n) => {
    expect(readText(`<p>${text}</p>`).mentions).toBe(n);
  });

  it.each([
    [`<p>${tag("a")} ${tag("b")} ${link("https://a.example")}</p>`, true],
    [`<p>${tag("a")} — ${mention("bob")}!</p>`, true],
    ["<p>#a #b</p>", true],
    [`<p>猫 ${tag("a")}</p>`, false],
    [`<p>😺 ${tag("a")}</p>`, false],
    ["", false],
    ["<p>…</p>", false],
  ])("detects whether %j consists of tags and links only", (html, only) => {
    expect(readText(html).onlyTagsAndLinks).toBe(only);
  });
});
