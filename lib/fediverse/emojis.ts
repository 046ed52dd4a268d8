import { z } from "zod";
import { stringField } from "#lib/base/http/fields.ts";

export const Emoji = z
  .object({
    shortcode: stringField("Name of the emoji without colons.", "blobcat"),
    url: stringField("URL at the source.", "https://mastodon.example/@ana/113"),
    n: z.int().describe("Its place in `/media/emoji/{id}/{n}`, for signed-in members."),
  })
  .meta({ id: "Emoji" });
export type Emoji = z.infer<typeof Emoji>;

const shortcodes = /^[\w+-]{1,100}$/;
/** A shortcode in a text. The look-ahead lets two shortcodes share a colon. */
const USED = /:([\w+-]{1,100})(?=:)/g;

/**
 * Picks the stored emoji that the texts use, each once.
 *
 * @param texts plain or HTML
 */
export function pickEmojis(stored: unknown, texts: readonly (string | null | undefined)[]): Emoji[] {
  if (!Array.isArray(stored) || stored.length === 0) return [];
  const used = new Set(
    texts.flatMap((text) => Array.from((text ?? "").matchAll(USED), ([, shortcode]) => shortcode)),
  );
  const picked = new Map<string, Emoji>();
  (stored as ({ shortcode?: unknown; url?: unknown } | null)[]).forEach((emoji, n) => {
    const { shortcode, url } = emoji ?? {};
    if (typeof shortcode !== "string" || !shortcodes.test(shortcode) || picked.has(shortcode)) return;
    if (!used.has(shortcode)) return;
    picked.set(shortcode, { shortcode, url: typeof url === "string" ? url : "", n });
  });
  return [...picked.values()];
}
