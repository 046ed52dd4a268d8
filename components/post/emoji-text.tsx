import type { ReactNode } from "react";
import type { Emoji as Stored } from "#lib/fediverse/emojis.ts";

export type Emoji = Pick<Stored, "shortcode" | "n">;

export function emojiSource(postId: number, index: number): string {
  return `/media/emoji/${postId}/${index}`;
}

const shortcodes = /:([\w+-]{1,100}):/g;

/**
 * Replaces shortcodes by pictures with alt text, except in tags, `code` and `pre`. `html` is sanitised, so every `<` starts
 * a tag that ends at the next `>`.
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
        // Letters, digits, _, + and - need no escaping.
        return place === undefined
          ? whole
          : `<img src="${emojiSource(postId, place)}" alt=":${name}:" title=":${name}:" loading="lazy" decoding="async" />`;
      });
    })
    .join("");
}

/** In a right-to-left text, `#` would stand behind a hashtag in Latin letters. */
export function isolateTags(text: string): string {
  return /[\u0590-\u08ff]/.test(text) ? text.replace(/#[^\s#]+/g, "\u2068$&\u2069") : text;
}

/** Plain text with custom emojis. */
export function EmojiText({
  text: given,
  postId,
  emojis,
}: {
  text: string;
  postId: number;
  emojis: readonly Emoji[];
}) {
  const places = placesOf(emojis);
  const text = isolateTags(given);
  if (places.size === 0) return <>{text}</>;
  const parts: ReactNode[] = text.split(/(:[\w+-]{1,100}:)/).map((part, i) => {
    const place = places.get(part.slice(1, -1));
    if (place === undefined || !part.startsWith(":")) return part;
    return (
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
