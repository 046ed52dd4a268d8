import type { ReactNode } from "react";
import type { Emoji as Stored } from "#lib/fediverse/emojis.ts";

/** Its name, and its place among the post's. */
export type Emoji = Pick<Stored, "shortcode" | "n">;

/** Where a post's n-th custom emoji comes from: our own address. */
export function emojiSource(postId: number, index: number): string {
  return `/media/emoji/${postId}/${index}`;
}

const shortcodes = /:([\w+-]{1,100}):/g;

/**
 * Puts the pictures of custom emoji into a post's HTML. Only text is touched, never what stands inside a tag,
 * a `code` or a `pre`; the picture's alt text is the shortcode, so nothing is lost when it does not come.
 * `html` is sanitised: every `<` in it begins a tag, every tag ends at the next `>`.
 */
export function emojiHtml(html: string, postId: number, emojis: readonly Emoji[]): string {
  const places = placesOf(emojis);
  if (places.size === 0) return html;
  let code = 0;
  return html
    .split(/(<[^>]*>)/)
    .map((part) => {
      if (part.startsWith("<")) {
        if (/^<(code|pre)[\s>]/.test(part)) code += 1;
        else if (/^<\/(code|pre)>/.test(part)) code -= 1;
        return part;
      }
      if (code > 0) return part;
      return part.replace(shortcodes, (whole, name: string) => {
        const place = places.get(name);
        // A shortcode is made of letters, digits, _ + and -: nothing in it needs an escape.
        return place === undefined
          ? whole
          : `<img src="${emojiSource(postId, place)}" alt=":${name}:" title=":${name}:" loading="lazy" decoding="async" />`;
      });
    })
    .join("");
}

/** The same for plain text: a name, a content warning, a poll's option, a line of a list. */
export function EmojiText({
  text,
  postId,
  emojis,
}: {
  text: string;
  postId: number;
  emojis: readonly Emoji[];
}) {
  const places = placesOf(emojis);
  if (places.size === 0) return <>{text}</>;
  const parts: ReactNode[] = text.split(/(:[\w+-]{1,100}:)/).map((part, i) => {
    const place = places.get(part.slice(1, -1));
    if (place === undefined || !part.startsWith(":")) return part;
    return (
      // Re-encoded and small already; the optimiser would only do it twice.

      <img
        key={i}
        src={emojiSource(postId, place)}
        alt={part}
        title={part}
        loading="lazy"
        className="inline-block h-[1.35em] w-auto align-[-0.25em]"
      />
    );
  });
  return <>{parts}</>;
}

function placesOf(emojis: readonly Emoji[]): Map<string, number> {
  return new Map(emojis.map(({ shortcode, n }) => [shortcode, n]));
}
