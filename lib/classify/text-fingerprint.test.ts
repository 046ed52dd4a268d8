import { describe, expect, it } from "vitest";
import { normaliseText, textFingerprint } from "./text-fingerprint.ts";

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

  it("differs when a word differs", () => {
    expect(textFingerprint(text.replace("phone", "house"))).not.toBe(textFingerprint(text));
  });

  it.each(["", "Good morning everyone", "#a #b https://x.example/long/long/long/path", "😺".repeat(30)])(
    "says nothing about %j, which many write by chance",
    (short) => {
      expect(textFingerprint(short)).toBeNull();
    },
  );

  it("accepts shorter texts in scripts with more information per letter", () => {
    expect(textFingerprint("今日の東京の天気はとても良い")).not.toBeNull();
  });

  it("fits PostgreSQL's bigint", () => {
    for (let n = 0; n < 200; n++) {
      const print = textFingerprint(`${text} number ${n}`) ?? 0n;
      expect(print >= -(2n ** 63n) && print < 2n ** 63n).toBe(true);
    }
  });

  it("keeps words of every script", () => {
    expect(normaliseText("Größe, हिन्दी & العربية #x")).toBe("größe हिन्दी العربية");
  });
});
