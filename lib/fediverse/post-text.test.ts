import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentSnippet, cutAtGrapheme, plainTextOf } from "./post-text.ts";
import { sanitiseContent } from "./sanitise-content.ts";

const NOTHING = { plainText: "", spoilerText: "", media: [], hashtags: [] };

const snippetOf = (plainText: string) => contentSnippet({ ...NOTHING, plainText });
const snippetOfHtml = (html: string) => snippetOf(plainTextOf(sanitiseContent(html)));

describe("the text of a post", () => {
  it.each([
    ["<p>one</p><p>two</p>", "one two"],
    ["<p>one<br>two<br/>three</p>", "one two three"],
    ["<p>one</p>two<div>three</div>four", "one two three four"],
    ["<ul><li>one</li><li>two</li></ul>three", "one two three"],
    ["<h1>Title</h1><p>text</p>", "Title text"],
    ["<table><tr><td>a</td><td>b</td></tr></table>", "a b"],
    ["<blockquote>a</blockquote>b<pre>c\n d</pre>", "a b c d"],
    ["in<b>line</b> is <em>gl</em>ued", "inline is glued"],
    ["<p>  a \n\t b  </p>\n\n<p> c</p>", "a b c"],
    ["a&nbsp;&nbsp;b&#8195;c", "a b c"],
    ["Tom &amp; Jerry &lt;3 &quot;x&quot; &#39;y&#39; &eacute; &#x1F600;", "Tom & Jerry <3 \"x\" 'y' é 😀"],
    ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
    ["1 < 2 && 3 > 2", "1 < 2 && 3 > 2"],
    ["<p>x<script>y</script>z</p>", "xz"],
    ["<p>cafe\u0301</p>", "cafe\u0301"],
    ['<p>hi <img class="emoji" alt=":cat:"></p>', "hi :cat:"],
    [
      '<p>See <a href="https://www.example.com/a/long/path"><span class="invisible">https://www.</span><span class="ellipsis">example.com/a/lo</span><span class="invisible">ng/path</span></a>!</p>',
      "See example.com/a/lo…!",
    ],
    [
      '<p>See <a href="https://example.com/a"><span class="invisible">https://</span><span class="">example.com/a</span><span class="invisible"></span></a></p>',
      "See example.com/a",
    ],
    ['<p><a href="https://m.example/tags/cats">#<span>cats</span></a></p>', "#cats"],
  ])("%s -> %s", (html, text) => {
    expect(snippetOfHtml(html)).toBe(text);
  });
});

describe("280 code points", () => {
  it("are counted after collapsing, without an ellipsis", () => {
    expect(snippetOfHtml(`<p>${"a   ".repeat(300)}</p>`)).toBe("a ".repeat(140));
    expect(snippetOf("x".repeat(280))).toBe("x".repeat(280));
    expect(snippetOf("x".repeat(281))).toBe("x".repeat(280));
  });

  it("count an emoji once", () => {
    expect([...snippetOf("😀".repeat(300))]).toHaveLength(280);
  });

  it("never end within a grapheme cluster", () => {
    const family = "👨‍👩‍👧‍👦"; // seven code points
    const cut = snippetOf(`${"x".repeat(275)}${family}y`);
    expect(cut).toBe("x".repeat(275));
    expect(snippetOf(`${"x".repeat(273)}${family}y`)).toBe("x".repeat(273) + family);
    expect(snippetOf(`${"x".repeat(279)}e\u0301${"y".repeat(9)}`)).toBe("x".repeat(279));
    expect(snippetOf(`${"x".repeat(279)}🇩🇪`)).toBe("x".repeat(279));
  });

  it("cut hard through a single cluster that is longer", () => {
    const zalgo = `a${"\u0301".repeat(400)}`;
    expect([...cutAtGrapheme(zalgo, 280)]).toHaveLength(280);
  });

  it("are a prefix of the text, well-formed, at most 280 long, at least 200 of ordinary text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 600 }), (text) => {
        const cut = cutAtGrapheme(text, 280);
        expect(text.startsWith(cut)).toBe(true);
        expect([...cut].length).toBeLessThanOrEqual(280);
        expect(cut.isWellFormed()).toBe(true);
        if ([...text].length > 280) expect([...cut].length).toBeGreaterThan(200);
      }),
    );
  });
});

describe("fallbacks for a post without text", () => {
  const media = [{ description: "A lake\n at dawn" }, { description: "second" }];
  it("are content warning, alt text of the first medium, hashtags, (no text)", () => {
    expect(contentSnippet({ ...NOTHING, plainText: "text", spoilerText: "cw", media })).toBe("text");
    expect(contentSnippet({ ...NOTHING, spoilerText: "cw", media, hashtags: ["a"] })).toBe("cw");
    expect(contentSnippet({ ...NOTHING, media, hashtags: ["a"] })).toBe("A lake at dawn");
    expect(
      contentSnippet({ ...NOTHING, media: [{ description: null }, ...media], hashtags: ["a", "b"] }),
    ).toBe("#a #b");
    expect(contentSnippet(NOTHING)).toBe("(no text)");
  });

  it.each(["\u200b", "\u200b \u2060", "\ufeff", "\u00ad", "\ufe0f", "\u3164", "\u2800", " \n\t"])(
    "are used for invisible text: %j",
    (plainText) => {
      expect(snippetOf(plainText)).toBe("(no text)");
    },
  );
});

it("plain text keeps white space only in pre", () => {
  expect(plainTextOf("<p>a  b\tc</p><pre>a  b\n  c</pre><p>d  e</p>")).toBe("a b c\na  b\nc\nd e");
});
