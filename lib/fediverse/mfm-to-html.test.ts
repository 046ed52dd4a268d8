import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mfmToHtml } from "./mfm-to-html.ts";
import { plainTextOf } from "./post-text.ts";
import { sanitiseContent } from "./sanitise-content.ts";

const CONTEXT = { origin: "https://mk.example" };
const html = (mfm: string) => mfmToHtml(mfm, CONTEXT);

describe("mfmToHtml", () => {
  it.each([
    ["one\ntwo", "<p>one<br>two</p>"],
    [
      "**bold** *it* _it_ ~~gone~~ `x < y`",
      "<p><strong>bold</strong> <em>it</em> <em>it</em> <del>gone</del> <code>x &lt; y</code></p>",
    ],
    ["**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"],
    [
      "<b>b</b><i>i</i><s>s</s><small>q</small><center>c</center><plain>**p**</plain>",
      "<p><b>b</b><i>i</i><del>s</del>qc**p**</p>",
    ],
    ["$[shake wow] $[fg.color=f00 red $[x2 big]]", "<p>wow red big</p>"],
    ["> quoted\n> again\nnot", "<blockquote>quoted<br>again</blockquote><p>not</p>"],
    ["a\n```js\nlet <x>\n```\nb", "<p>a</p><pre><code>let &lt;x&gt;</code></pre><p>b</p>"],
    [
      "#猫 and #Cats, #c",
      '<p><a href="https://mk.example/tags/%E7%8C%AB">#猫</a> and <a href="https://mk.example/tags/Cats">#Cats</a>, <a href="https://mk.example/tags/c">#c</a></p>',
    ],
    [
      "@ai hi @bob@b.example!",
      '<p><a href="https://mk.example/@ai">@ai</a> hi <a href="https://mk.example/@bob@b.example">@bob@b.example</a>!</p>',
    ],
    [
      "https://a.example/x?y=1&z=2.",
      '<p><a href="https://a.example/x?y=1&amp;z=2">https://a.example/x?y=1&amp;z=2</a>.</p>',
    ],
    ["(https://a.example/)", '<p>(<a href="https://a.example/">https://a.example/</a>)</p>'],
    [
      "[here](https://a.example/) ?[quiet](https://b.example/) <https://c.example/>",
      '<p><a href="https://a.example/">here</a> <a href="https://b.example/">quiet</a> <a href="https://c.example/">https://c.example/</a></p>',
    ],
    ["[<b>x](https://a.example/)", '<p><a href="https://a.example/">&lt;b&gt;x</a></p>'],
    ["https://a.example/x_(y)", '<p><a href="https://a.example/x_(y)">https://a.example/x_(y)</a></p>'],
    ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
    ["me@mail.example", "<p>me@mail.example</p>"],
    ["@me@ex.example. bye", '<p><a href="https://mk.example/@me@ex.example">@me@ex.example</a>. bye</p>'],
    ["We are #1, #12 and #1st", '<p>We are #1, #12 and <a href="https://mk.example/tags/1st">#1st</a></p>'],
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    [":blobcat: \\(e=mc^2\\)", "<p>:blobcat: e=mc^2</p>"],
    ["5 * 3 * 2 snake_case_name", "<p>5 * 3 * 2 snake_case_name</p>"],
    ["", ""],
  ])("renders %j", (mfm, expected) => {
    expect(html(mfm)).toBe(expected);
  });

  it("shows very long text as plain text", () => {
    expect(html(`**b**\n${"x".repeat(20_000)}`)).toMatch(/^\*\*b\*\*<br>x+$/);
  });

  it("keeps every word of plain text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z0-9äöü猫]{1,8}$/), { minLength: 1, maxLength: 20 }),
        (words) => {
          expect(plainTextOf(sanitiseContent(html(words.join(" "))))).toBe(words.join(" "));
        },
      ),
    );
  });

  it("renders 10 000 characters of hostile markup in bounded time", () => {
    for (const mfm of [
      "**".repeat(4_900),
      "$[x ".repeat(2_400),
      "<b>".repeat(3_300),
      "[".repeat(9_900),
      "`*_~".repeat(2_400),
      ">".repeat(9_900),
    ]) {
      const started = performance.now();
      expect(typeof html(mfm)).toBe("string");
      expect(performance.now() - started).toBeLessThan(1_500);
    }
  });
});
