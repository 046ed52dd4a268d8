import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { emojiHtml, EmojiText } from "./emoji-text.tsx";

const emojis = [
  { shortcode: "blobcat", n: 0 },
  { shortcode: "a+b", n: 2 },
];

describe("emojiHtml", () => {
  it("replaces known shortcodes by pictures from our own address with the shortcode as alt text", () => {
    const html = emojiHtml("<p>Hi :blobcat: and :unknown: at 12:30:45</p>", 7, emojis);
    expect(html).toContain('<img src="/media/emoji/7/0" alt=":blobcat:"');
    expect(html).toContain(":unknown: at 12:30:45");
  });

  it("does not change tags, links and code", () => {
    const html = '<p><a href="https://x.example/:blobcat:">l</a> <code>:blobcat:</code></p>';
    expect(emojiHtml(html, 7, emojis)).toBe(html);
    expect(emojiHtml("<pre><code>:a+b:</code></pre>:a+b:", 7, emojis)).toMatch(
      /^<pre><code>:a\+b:<\/code><\/pre><img src="\/media\/emoji\/7\/2"/,
    );
  });

  it("changes nothing without emoji", () => {
    expect(emojiHtml("<p>:blobcat:</p>", 7, [])).toBe("<p>:blobcat:</p>");
  });
});

describe("EmojiText", () => {
  it("keeps # before a hashtag in Latin letters in a right-to-left text", () => {
    const drawn = (text: string) => renderToStaticMarkup(<EmojiText text={text} postId={7} emojis={[]} />);
    expect(drawn("زرعتها #bees #نحل")).toBe("زرعتها \u2068#bees\u2069 \u2068#نحل\u2069");
    expect(drawn("Seen #bees")).toBe("Seen #bees");
  });

  it("escapes other text", () => {
    const markup = renderToStaticMarkup(<EmojiText text="<b>:blobcat:&" postId={7} emojis={emojis} />);
    expect(markup).toBe(
      '&lt;b&gt;<img src="/media/emoji/7/0" alt=":blobcat:" title=":blobcat:" loading="lazy" class="inline-block h-[1.35em] w-auto align-[-0.25em]"/>&amp;',
    );
  });
});
