import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countRepeats, normaliseText, REPEAT_WINDOW_MS, textFingerprint, type Copy } from "./repeats.ts";

const HOUR = 3_600_000;
const at = (uri: string, hour: number, author_key = "a@h"): Copy => ({
  uri,
  author_key,
  created_at: new Date(1_700_000_000_000 + hour * HOUR),
});

describe("countRepeats", () => {
  it("equals the maximum over all 24-hour windows", () => {
    const copies = fc.uniqueArray(
      fc.record({
        uri: fc.string({ maxLength: 2 }),
        hour: fc.nat(80),
        author: fc.constantFrom("a@h", "b@h", "c@h"),
      }),
      { selector: (copy) => copy.uri, maxLength: 15 },
    );
    fc.assert(
      fc.property(copies, (list) => {
        const all = list.map(({ uri, hour, author }) => at(uri, hour, author));
        const found = countRepeats(all);
        for (const post of all) {
          const windows = all.map(({ created_at }) =>
            all.filter((copy) => {
              const after = copy.created_at.getTime() - created_at.getTime();
              return after >= 0 && after <= REPEAT_WINDOW_MS;
            }),
          );
          const mine = windows.filter((window) => window.includes(post));
          expect(found.get(post.uri)).toEqual({
            byAuthor: Math.max(...mine.map((w) => w.filter((c) => c.author_key === post.author_key).length)),
            authors: Math.max(...mine.map((w) => new Set(w.map((c) => c.author_key)).size)),
          });
        }
      }),
    );
  });
});

describe("textFingerprint", () => {
  const text = "Win a brand new phone today, just follow the link below!";

  it("ignores letter case, punctuation, mentions, hashtags and addresses", () => {
    const copies = [
      text.toUpperCase(),
      `${text} https://spam.example/abc?x=1`,
      `${text} spam.example/abc…`,
      `@alice @bob@host.example ${text}`,
      `${text} #win #phone_deal`,
      "Ｗｉｎ a brand new phone today — just follow the link below",
    ];
    const expected = textFingerprint(text);
    expect(expected).not.toBeNull();
    expect(copies.map(textFingerprint)).toEqual(copies.map(() => expected));
  });

  it.each(["", "Good morning everyone", "#a #b https://x.example/long/long/long/path", "😺".repeat(30)])(
    "is null for the short text %j",
    (short) => {
      expect(textFingerprint(short)).toBeNull();
    },
  );

  it("keeps letters of every script", () => {
    expect(normaliseText("Größe, हिन्दी & العربية #x")).toBe("größe हिन्दी العربية");
  });
});
