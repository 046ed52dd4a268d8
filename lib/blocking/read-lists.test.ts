import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine } from "#lib/base/http/csv.ts";
import { readUserList } from "./read-lists.ts";
import { shownPattern } from "./user-patterns.ts";

const shown = (text: string) =>
  readUserList(text).entries.map((entry) => `${entry.pattern_type} ${entry.pattern}`);

describe("readUserList", () => {
  test("reads one user a line in the usual notations", () => {
    const text = `# Mostly spam
@Spam@bad.example
other@bad.example, sells followers
https://bad.example/@third

*.bsky.app
*@brid.gy
worse.example
https://worst.example/
`;
    expect(shown(text)).toEqual([
      "exact spam@bad.example",
      "exact other@bad.example",
      "exact third@bad.example",
      "suffix .bsky.app",
      "suffix @brid.gy",
      "domain worse.example",
      "domain worst.example",
    ]);
    expect(readUserList(text)).toMatchObject({ ignored: 0, unreadable: [] });
  });

  test("reads Mastodon's blocked domains with subdomains, ignores noop, counts limited and reports obfuscated ones", () => {
    const text = `#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
bad.example,suspend,False,False,"Spam, ""lots"" of it",False
quiet.example,silence,False,False,,False
fine.example,noop,True,False,,False
b**.example,suspend,False,False,,True
`;
    const list = readUserList(text);
    expect(list.entries).toEqual([
      { pattern: "bad.example", pattern_type: "domain", written: null, notes: 'Spam, "lots" of it' },
      { pattern: "quiet.example", pattern_type: "domain", written: null, notes: null },
    ]);
    expect([list.ignored, list.limited]).toEqual([1, 1]);
    expect(list.unreadable).toEqual([
      {
        line: 5,
        text: "b**.example,suspend,False,False,,True",
        message: "has a * that can mean several things",
      },
    ]);
  });

  test("reads this service's export, with domains and with apostrophes against formulas", () => {
    const text = `account_identifier,pattern_type,notes,created_at,subdomains
spam@bad.example,exact,,2026-05-04T12:00:00.000Z
'@bad.example,suffix,'=1+1,,false
'@worse.example,suffix,,,true
bot,prefix,x
bot,regex,x
`;
    const list = readUserList(text);
    expect(list.entries).toEqual([
      { pattern: "spam@bad.example", pattern_type: "exact", written: null, notes: null },
      { pattern: "@bad.example", pattern_type: "suffix", written: null, notes: "=1+1" },
      { pattern: "worse.example", pattern_type: "domain", written: null, notes: null },
      { pattern: "bot", pattern_type: "prefix", written: null, notes: "x" },
    ]);
    expect(list.unreadable.map((each) => each.line)).toEqual([6]);
  });

  test("drops duplicates and reports unreadable lines", () => {
    const list = readUserList("spam@bad.example\n@SPAM@bad.example\nspam\nx y@z.example\n*\nb*d@x.example\n");
    expect(list.entries).toHaveLength(1);
    expect(list.unreadable.map(({ line, text }) => [line, text])).toEqual([
      [3, "spam"],
      [4, "x y@z.example"],
      [5, "*"],
      [6, "b*d@x.example"],
    ]);
    for (const each of list.unreadable) expect(each.message).toMatch(/^(is|must|may|has) /);
  });

  test("reads its entries back from CSV, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab.@*#,\"\n\r'=/ü"), maxLength: 60 }), (text) => {
        const { entries } = readUserList(text);
        const again = entries.map((each) =>
          csvLine([
            shownPattern(each).account_identifier,
            shownPattern(each).pattern_type,
            each.notes,
            shownPattern(each).subdomains,
          ]),
        );
        const header = "account_identifier,pattern_type,notes,subdomains";
        expect(readUserList(`${header}\r\n${again.join("")}`).entries).toEqual(entries);
      }),
    );
  });
});

describe("a list of what nobody blocked", () => {
  test.each([
    [
      "Account address,Show boosts,Notify on new posts,Languages\nfriend@good.example,true,false,\n",
      "somebody follows",
    ],
    ["Account address\nfan@good.example\n", "follow somebody"],
    ["#domain\ngood.example\n", "a server allows"],
  ])("is refused: %j", (text, why) => {
    expect(() => readUserList(text)).toThrow(new RegExp(`list of (accounts|domains) that ${why}`));
  });

  test("bookmarked posts are named, not their authors blocked", () => {
    const list = readUserList(
      [
        "https://good.example/users/friend/statuses/1",
        "https://good.example/@friend/112233",
        "https://keys.example/notes/9abc",
        "https://good.example/@friend",
      ].join("\n"),
    );
    expect(list.entries.map((entry) => entry.pattern)).toEqual(["friend@good.example"]);
    expect(list.unreadable.map(({ line }) => line)).toEqual([1, 2, 3]);
  });
});

test.each(["free****", "*****speech.example", "*follow*", "f*e.example", "*"])(
  "the obfuscated name %j is unreadable",
  (line) => {
    expect(readUserList(line)).toMatchObject({ entries: [], unreadable: [{ line: 1, text: line }] });
    expect(readUserList(`domain\n${line}\n`)).toMatchObject({ entries: [], unreadable: [{ line: 2 }] });
  },
);

describe("lists saved by a spreadsheet", () => {
  const domains = [
    ["#domain", "#severity", "#public_comment"],
    ["bad.example", "suspend", "Spam, lots of it"],
    ["fine.example", "noop", ""],
  ];
  test.each([",", ";", "\t"])("are read with the separator %j", (separator) => {
    const cell = (text: string) => (text.includes(separator) ? `"${text}"` : text);
    const text = domains.map((cells) => cells.map(cell).join(separator)).join("\r\n");
    expect(readUserList(`\ufeff${text}`)).toMatchObject({
      entries: [{ pattern: "bad.example", pattern_type: "domain", written: null, notes: "Spam, lots of it" }],
      ignored: 1,
      unreadable: [],
    });
    const own = ["account_identifier", "pattern_type", "notes"].join(separator);
    expect(shown(`${own}\r\n${["bot", "prefix", "x"].join(separator)}\r\n`)).toEqual(["prefix bot"]);
  });
});
