import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine, readCsvCell } from "#lib/http/csv.ts";
import { parseCsv, readHashtagList, readUserList } from "./read-lists.ts";

const shown = (text: string) =>
  readUserList(text).entries.map((entry) => `${entry.pattern_type} ${entry.account_identifier}`);

describe("comma-separated texts", () => {
  test("a quote inside a cell is a quote", () => {
    expect(parseCsv('5" disks,"a"\nb').map((record) => record.cells)).toEqual([['5" disks', "a"], ["b"]]);
  });

  test("cells in quotes hold commas, quotes and line breaks; lines are counted", () => {
    expect(parseCsv('\uFEFFa,"b, ""c""\r\nd"\r\n\r\n e ,\n"f"')).toEqual([
      { line: 1, cells: ["a", 'b, "c"\nd'] },
      { line: 4, cells: [" e ", ""] },
      { line: 5, cells: ["f"] },
    ]);
  });

  test("what is written is read again", () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab@=+-,\"\n' "), minLength: 1, maxLength: 8 });
    const cells = fc.array(cell, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cells, (written) => {
        fc.pre(written.some((each) => each.trim() !== ""));
        const [record] = parseCsv(csvLine(written));
        expect(record?.cells.map((each) => readCsvCell(each))).toEqual(written);
      }),
    );
  });
});

describe("lists of users", () => {
  test("one a line, as people write them", () => {
    const text = `# Mostly spam
@Spam@bad.example
other@bad.example, sells followers
https://bad.example/@third

*.bsky.app
*@brid.gy
bot*
*followback*
worse.example
https://worst.example/
`;
    expect(shown(text)).toEqual([
      "exact spam@bad.example",
      "exact other@bad.example",
      "exact third@bad.example",
      "suffix .bsky.app",
      "suffix @brid.gy",
      "prefix bot",
      "contains followback",
      "suffix @worse.example",
      "suffix .worse.example",
      "suffix @worst.example",
      "suffix .worst.example",
    ]);
    expect(readUserList(text)).toMatchObject({ ignored: 0, unreadable: [] });
  });

  test("Mastodon's blocked domains: each covers its hosts; noop asks for nothing; obfuscated ones are named", () => {
    const text = `#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
bad.example,suspend,False,False,"Spam, ""lots"" of it",False
quiet.example,silence,False,False,,False
fine.example,noop,True,False,,False
b**.example,suspend,False,False,,True
`;
    const list = readUserList(text);
    expect(list.entries).toEqual([
      { account_identifier: "@bad.example", pattern_type: "suffix", notes: 'Spam, "lots" of it' },
      { account_identifier: ".bad.example", pattern_type: "suffix", notes: 'Spam, "lots" of it' },
      { account_identifier: "@quiet.example", pattern_type: "suffix", notes: null },
      { account_identifier: ".quiet.example", pattern_type: "suffix", notes: null },
    ]);
    expect(list.ignored).toBe(1);
    expect(list.unreadable).toEqual([
      {
        line: 5,
        text: "b**.example,suspend,False,False,,True",
        message: "is made unreadable (obfuscated) in this list",
      },
    ]);
  });

  test("Mastodon's muted accounts, and a plain list of blocked ones", () => {
    expect(shown("Account address,Hide notifications\nspam@bad.example,true\n")).toEqual([
      "exact spam@bad.example",
    ]);
    expect(shown("spam@bad.example\r\nother@bad.example\r\n")).toEqual([
      "exact spam@bad.example",
      "exact other@bad.example",
    ]);
    expect(shown("bad.example\n")).toEqual(["suffix @bad.example", "suffix .bad.example"]);
  });

  test("the export of this service, with its apostrophes", () => {
    const text = `account_identifier,pattern_type,notes,created_at
spam@bad.example,exact,,2026-05-04T12:00:00.000Z
'@bad.example,suffix,'=1+1,2026-05-04T12:00:00.000Z
bot,prefix,x,2026-05-04T12:00:00.000Z
bot,regex,x,2026-05-04T12:00:00.000Z
`;
    const list = readUserList(text);
    expect(list.entries).toEqual([
      { account_identifier: "spam@bad.example", pattern_type: "exact", notes: null },
      { account_identifier: "@bad.example", pattern_type: "suffix", notes: "=1+1" },
      { account_identifier: "bot", pattern_type: "prefix", notes: "x" },
    ]);
    expect(list.unreadable.map((each) => each.line)).toEqual([5]);
  });

  test("each pattern counts once, and lines that are none are named", () => {
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

  test("no text makes it fall over", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab.@*#,\"\n\r'=/ü"), maxLength: 60 }), (text) => {
        const { entries } = readUserList(text);
        const again = entries.map((each) =>
          csvLine([each.account_identifier, each.pattern_type, each.notes]),
        );
        expect(readUserList(`account_identifier,pattern_type,notes\r\n${again.join("")}`).entries).toEqual(
          entries,
        );
      }),
    );
  });
});

describe("the file of everything that was entered", () => {
  const file = (more: object) => JSON.stringify({ format: "sluice-export", version: 1, ...more }, null, 2);

  test("brings the list that is asked for; what is wrong in it is named by its place", () => {
    const text = file({
      blocked_users: [
        { account_identifier: "a@b.example", pattern_type: "exact", notes: "x, y" },
        { account_identifier: "@b.example", pattern_type: "suffix", notes: null },
        { account_identifier: "c@d.example", pattern_type: "sometimes" },
        null,
      ],
      blocked_hashtags: [{ hashtag: "Giveaway", notes: "why" }],
    });
    expect(readUserList(text)).toMatchObject({
      entries: [
        { account_identifier: "a@b.example", pattern_type: "exact", notes: "x, y" },
        { account_identifier: "@b.example", pattern_type: "suffix", notes: null },
      ],
      unreadable: [{ line: 3, message: expect.stringContaining("pattern_type") as string }],
    });
    expect(readHashtagList(text).entries).toMatchObject([{ hashtag: "Giveaway", notes: "why" }]);
    expect(readUserList(file({})).entries).toEqual([]);
  });

  test("other JSON is read as the lines it has", () => {
    expect(readUserList('{"format": "else"}').unreadable).toHaveLength(1);
  });
});

describe("lists of hashtags", () => {
  test("one a line, with or without #, once in whatever spelling", () => {
    const list = readHashtagList("#Café\ncafe\nfollowback,they never stop\ntwo words\n123\n");
    expect(list.entries).toEqual([
      { hashtag: "Café", hashtag_folded: "cafe", notes: null },
      { hashtag: "followback", hashtag_folded: "followback", notes: "they never stop" },
    ]);
    expect(list.unreadable.map((each) => each.text)).toEqual(["two words", "123"]);
  });

  test("the export of this service", () => {
    const text =
      "hashtag,notes,created_at\r\ncats,,2026-05-04T12:00:00.000Z\r\nhashtag,x,2026-05-04T12:00:00.000Z\r\n";
    expect(readHashtagList(text).entries.map((each) => each.hashtag)).toEqual(["cats", "hashtag"]);
    expect(readHashtagList("hashtag\ncats\n").entries.map((each) => each.hashtag)).toEqual([
      "hashtag",
      "cats",
    ]);
  });
});
