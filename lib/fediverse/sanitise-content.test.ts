import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitiseContent } from "./sanitise-content.ts";

const LINK = 'rel="nofollow noopener noreferrer ugc" target="_blank"';

/** The complete output grammar. */
const SAFE =
  /^(?:[^<>]|<\/?(?:p|div|blockquote|ul|ol|li|code|pre|em|strong|b|i|u|del)>|<br \/>|<\/a>|<a href="https?:\/\/[^"<>]*" rel="nofollow noopener noreferrer ugc" target="_blank">)*$/u;

describe("posts of each software", () => {
  it("keep paragraphs, mentions, hashtags and shortened links of Mastodon", () => {
    expect(
      sanitiseContent(
        '<p><span class="h-card" translate="no"><a href="https://mastodon.social/@alice" class="u-url mention">@<span>alice</span></a></span> look at this <a href="https://mastodon.social/tags/CatsOfMastodon" class="mention hashtag" rel="tag">#<span>CatsOfMastodon</span></a></p><p><a href="https://www.example.com/a/very/long/path?with=query&amp;and=more" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">https://www.</span><span class="ellipsis">example.com/a/very/long/path?w</span><span class="invisible">ith=query&amp;and=more</span></a></p>',
      ),
    ).toBe(
      `<p><a href="https://mastodon.social/@alice" ${LINK}>@alice</a> look at this <a href="https://mastodon.social/tags/CatsOfMastodon" ${LINK}>#CatsOfMastodon</a></p><p><a href="https://www.example.com/a/very/long/path?with=query&amp;and=more" ${LINK}>example.com/a/very/long/path?w…</a></p>`,
    );
  });

  it("keep rich text, inline emoji and the recipients line of Pleroma and Akkoma", () => {
    expect(
      sanitiseContent(
        '<span class="recipients-inline"><a href="https://pl.example/users/bob" class="mention u-url" data-user="9x">@<span>bob</span></a> </span><h2>News</h2><blockquote>quoted<br/>twice</blockquote><ul><li>one</li><li>two</li></ul><code>x &lt; y</code> <img class="emoji" alt=":firefox:" src="https://pl.example/emoji/firefox.png"/>',
      ),
    ).toBe(
      `<a href="https://pl.example/users/bob" ${LINK}>@bob</a> <div><strong>News</strong></div><blockquote>quoted<br />twice</blockquote><ul><li>one</li><li>two</li></ul><code>x &lt; y</code> :firefox:`,
    );
  });

  it("turn divs, pictures, tables and styles of Friendica into simple text", () => {
    expect(
      sanitiseContent(
        '<div style="color:red" onclick="x()"><h3>Trip</h3>Day one<br><img src="https://f.example/photo/1.jpg" alt="A lake" title="Lake"><table><tr><th>km</th><td>12</td></tr></table></div>',
      ),
    ).toBe(
      "<div><div><strong>Trip</strong></div>Day one<br />A lake<div><div><div>km</div><div>12</div></div></div></div>",
    );
  });
});

describe("links", () => {
  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    " \u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "blob:https://example.com/x",
    "file:///etc/passwd",
    "mailto:a@example.com",
    "//evil.example/",
    "/logout",
    "?delete=1",
    "#top",
    "https://user:pw@example.com/",
    "https://mastodon.social@evil.example/",
    `https://example.com/${"a".repeat(3000)}`,
    "https://",
    "",
  ])("%s becomes plain text", (href) => {
    expect(sanitiseContent(`<p><a href="${href.replaceAll("<", "&lt;")}">text</a></p>`)).toBe("<p>text</p>");
  });

  it("show their true host", () => {
    expect(sanitiseContent('<a href="https://exаmple.com/">example.com</a>')).toContain(
      'href="https://xn--exmple-4nf.com/"',
    );
  });

  it("are not nested, and empty ones are removed", () => {
    expect(sanitiseContent('<a href="https://a.example/">a<a href="https://b.example/">b</a></a>')).toBe(
      `<a href="https://a.example/" ${LINK}>a</a><a href="https://b.example/" ${LINK}>b</a>`,
    );
    // With an element in between, a parser does not end the outer one.
    expect(
      sanitiseContent('<a href="https://a.example/">a<b><a href="https://b.example/">b</a></b></a>'),
    ).toBe(`<a href="https://a.example/" ${LINK}>a<b>b</b></a>`);
    expect(sanitiseContent('x<a href="https://a.example/"><script>1</script></a>y')).toBe("xy");
  });

  it("do not apply to hidden text outside them, which is shown", () => {
    expect(sanitiseContent('<p>a<span class="invisible">b</span></p>')).toBe("<p>ab</p>");
    expect(sanitiseContent('<p>a<em class="invisible">b</em></p>')).toBe("<p>a<em>b</em></p>");
  });
});

describe("attacks", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<iframe src=javascript:alert(1)>",
    "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content=0;url=https://evil.example/>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>@import 'https://evil.example/x.css';</style>",
    '<p style="background:url(https://evil.example/)">x</p>',
    "<form action=https://evil.example/><input name=q><button>go</button></form>",
    '<a href="https://a.example/" onmouseover=alert(1)>x</a>',
    '<a href="https://a.example/"><img src=x onerror=alert(1)></a>',
    "<<script>script>alert(1)<</script>/script>",
    "<scr<script>ipt>alert(1)</script>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    "<textarea></textarea/><img src=x onerror=alert(1)>",
    "<xmp><img src=x onerror=alert(1)></xmp>",
    "<template><img src=x onerror=alert(1)></template>",
    "<img alt='\"><script>alert(1)</script>' src=x>",
    "<span class=alt title='<script>alert(1)</script>'>x</span>",
    "<span class='alt invisible' title='\"><b onclick=x()>'>x</span>",
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    "<p>\0<scr\0ipt>alert(1)</scr\0ipt></p>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?php echo 1 ?><b>x</b>",
    "<a href='https://a.example/\"onmouseover=alert(1) x=\"'>x</a>",
    "<details open ontoggle=alert(1)>x</details>",
    "<video><source onerror=alert(1)></video>",
    "<marquee onstart=alert(1)>x</marquee>",
    "</p></div></body><script>alert(1)",
  ])("%s", (html) => {
    const safe = sanitiseContent(html);
    expect(safe).toMatch(SAFE);
    expect(sanitiseContent(safe)).toBe(safe);
  });

  it("removes the text of elements that are not displayed", () => {
    const hidden = ["title", "svg", "iframe", "noscript", "template", "object", "select", "button", "canvas"];
    const html = hidden.map((tag) => `<${tag}>not shown</${tag}>`).join("");
    expect(sanitiseContent(`<p>a</p>${html}`)).toBe("<p>a</p>");
  });
});

const fragment = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "<p>", "</p>", "<br>", "<div>", "</div>", "<h1>", "</h1>", "<b>", "</b>", "<ul><li>", "</li>", "</ul>", "<pre>", "</pre>",
    "<blockquote>", "</blockquote>", '<a href="https://a.example/x?y=1&z=2">', "</a>", '<a href="javascript:x">',
    '<span class="invisible">', '<span class="ellipsis">', "<span>", "</span>", '<img alt=":x: &lt;&quot;">', "<table><tr><td>",
    "</table>", "<script>", "</script>", "<svg>", "</svg>", "<!--", "-->", "&lt;", "&amp;amp;", "&#0;", "&#xd800;", "&nbsp;", "\ud800",
    "\0", "<", ">", '"', "'", "=", "/>", "…", "\n",
  ), // prettier-ignore
);
const soup = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(""));

describe("properties", () => {
  it("closes blocks as a parser does after removing an element", () => {
    for (const block of ["p", "div"]) {
      const safe = sanitiseContent(`<p>a<span><${block}>b</${block}></span>c</p>`);
      expect(safe).toBe(`<p>a</p><${block}>b</${block}>c<p></p>`);
      expect(sanitiseContent(safe)).toBe(safe);
    }
  });

  it("writes only the allowlist, and changes nothing when applied again", () => {
    fc.assert(
      fc.property(soup, (html) => {
        const once = sanitiseContent(html);
        expect(once).toMatch(SAFE);
        expect(sanitiseContent(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
