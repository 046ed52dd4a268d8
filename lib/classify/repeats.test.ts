import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countRepeats, REPEAT_WINDOW, type Copy } from "./repeats.ts";

const HOUR = 3_600_000;
const at = (post_id: number, hour: number, author_key = "a@h"): Copy => ({
  post_id,
  author_key,
  created_at: new Date(1_700_000_000_000 + hour * HOUR),
});

describe("countRepeats", () => {
  it("counts first, middle and last copy of a day equally", () => {
    const found = countRepeats([at(1, 0), at(2, 12), at(3, 24)]);
    expect([...found.values()].map((n) => n.byAuthor)).toEqual([3, 3, 3]);
  });

  it("does not count copies more than a day apart", () => {
    const found = countRepeats([at(1, 0), at(2, 23), at(3, 46)]);
    expect([...found.values()].map((n) => n.byAuthor)).toEqual([2, 2, 2]);
  });

  it("counts each author once", () => {
    const found = countRepeats([at(1, 0, "a@h"), at(2, 1, "b@h"), at(3, 2, "b@h"), at(4, 3, "c@h")]);
    expect(found.get(3)).toEqual({ byAuthor: 2, authors: 3 });
    expect(found.get(1)).toEqual({ byAuthor: 1, authors: 3 });
  });

  it("equals a brute-force count over every window", () => {
    const copies = fc.uniqueArray(
      fc.record({ post_id: fc.nat(50), hour: fc.nat(80), author: fc.constantFrom("a@h", "b@h", "c@h") }),
      { selector: (copy) => copy.post_id, maxLength: 15 },
    );
    fc.assert(
      fc.property(copies, (list) => {
        const all = list.map(({ post_id, hour, author }) => at(post_id, hour, author));
        const found = countRepeats(all);
        for (const post of all) {
          const windows = all.map(({ created_at }) =>
            all.filter((copy) => {
              const after = copy.created_at.getTime() - created_at.getTime();
              return after >= 0 && after <= REPEAT_WINDOW;
            }),
          );
          const mine = windows.filter((window) => window.includes(post));
          expect(found.get(post.post_id)).toEqual({
            byAuthor: Math.max(...mine.map((w) => w.filter((c) => c.author_key === post.author_key).length)),
            authors: Math.max(...mine.map((w) => new Set(w.map((c) => c.author_key)).size)),
          });
        }
      }),
    );
  });
});
