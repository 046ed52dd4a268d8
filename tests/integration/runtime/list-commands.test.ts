import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { actionKinds } from "#app/api/v1/actions/kinds.ts";
import { undoAction } from "#lib/actions/undo-action.ts";
import { principalOfMember } from "#lib/auth/authenticate.ts";
import { db } from "#lib/db.ts";
import { makeMember, makePending } from "#tests/setup/factories.ts";
import { makeFolder } from "./backup-database.ts";
import { sluice } from "./command-reply.ts";

beforeEach(async () => {
  await db.stream.deleteMany();
  await db.topical_tag.deleteMany();
  await db.blocked_user.deleteMany();
  await db.blocked_hashtag.deleteMany();
});

const newFile = (name: string) => path.join(makeFolder(), name);
function written(name: string, text: string): string {
  const file = newFile(name);
  writeFileSync(file, text);
  return file;
}

const sources = {
  streams: {
    text: `hashtag,instance,active,fetch_interval_minutes,consent_policy,consent_list,languages,check_question
cats,fedi.example,false,45,opt-in,'@ana@a.example @ben@b.example,de en,"Cats, or not?"
Dogs,https://Fedi.example/tags/dogs,,,,,,
`,
    rows: () =>
      db.stream.findMany({
        orderBy: { id: "asc" },
        omit: { id: true, created_at: true, updated_at: true, next_scheduled_fetch: true },
      }),
    added: 2,
    bad: [
      "hashtag,fetch_interval_minutes\ncats,60\ndogs,1\n",
      'line 3 fetch_interval_minutes must be at least 5: "dogs,1"',
    ],
  },
  "topical-tags": {
    text: "hashtag,topical_day_of_week,topical_month_day\ncaturday,Saturday,\npi,,03-14\n",
    rows: () => db.topical_tag.findMany({ orderBy: { id: "asc" }, omit: { id: true, created_at: true } }),
    added: 2,
    bad: [
      "hashtag,topical_month_day\npi,03-14\nleap,02-30\n",
      "line 3 topical_month_day must be a day such as 10-04, or null",
    ],
  },
  "blocked-users": {
    text: "bad.example\nspam@a.example\n*@bot.example\n",
    rows: () => db.blocked_user.findMany({ orderBy: { id: "asc" }, omit: { id: true, created_at: true } }),
    added: 3,
    bad: ["bad.example\nnot a user\n", "line 2 is neither an account nor a domain"],
  },
  "blocked-hashtags": {
    text: "spam,annoying\n#win\n",
    rows: () => db.blocked_hashtag.findMany({ orderBy: { id: "asc" }, omit: { id: true, created_at: true } }),
    added: 2,
    bad: ["spam\n???\n", "line 2 is not a hashtag"],
  },
} as const;

describe.each(Object.entries(sources))("%s", (list, { text, rows, added, bad }) => {
  test("are exported and imported again; a second import adds nothing", async () => {
    const source = written("list.csv", text);
    expect((await sluice("import", list, source, "--dry-run")).data).toMatchObject({ dry_run: true, added });
    expect(await rows()).toEqual([]);
    expect((await sluice("import", list, source)).data).toMatchObject({ added, existing: 0 });
    const before = await rows();
    const file = newFile("exported.csv");
    expect((await sluice("export", list, file)).data).toMatchObject({ entries: added, left_out: 0 });
    expect((await sluice("import", list, file)).data).toMatchObject({ added: 0, existing: added });
    expect(await rows()).toEqual(before);
    await Promise.all([
      db.stream.deleteMany(),
      db.topical_tag.deleteMany(),
      db.blocked_user.deleteMany(),
      db.blocked_hashtag.deleteMany(),
    ]);
    await sluice("import", list, file);
    expect(await rows()).toEqual(before);
  });

  test("name a line that cannot be read, and stay as they are", async () => {
    const file = written("bad.csv", bad[0]);
    for (const flags of [[], ["--dry-run"]])
      await expect(sluice("import", list, file, ...flags)).rejects.toThrow(bad[1]);
    expect(await rows()).toEqual([]);
    const skipped = await sluice("import", list, file, "--skip-unreadable");
    expect(skipped.text).toMatch(/Added: 1 .*\nSkipped lines: 1\.$/);
  });
});

test("streams and topical rules are read from the file of GET /export", async () => {
  const file = written(
    "all.json",
    JSON.stringify({
      format: "sluice-export",
      streams: [
        { hashtag: "cats", instance: "fedi.example", created_at: "2026-01-01T00:00:00Z" },
        { hashtag: "?" },
      ],
      topical_tags: [{ hashtag: "caturday", topical_day_of_week: "Saturday", topical_month_day: null }],
    }),
  );
  await expect(sluice("import", "streams", file)).rejects.toThrow("line 2 hashtag is not a hashtag");
  expect((await sluice("import", "topical-tags", file)).data).toMatchObject({ added: 1 });
});

test("streams go to and from a feed reader's list, by hashtag and server", async () => {
  await sluice(
    "import",
    "streams",
    written("a.csv", "hashtag,instance\ncats,fedi.example\nkatzenö,b.example\n"),
  );
  const file = newFile("streams.opml");
  await sluice("export", "streams", file, "--format", "opml");
  expect(readFileSync(file, "utf8")).toContain('xmlUrl="https://fedi.example/tags/cats.rss"');
  await db.stream.deleteMany();
  const grouped = written(
    "grouped.opml",
    readFileSync(file, "utf8")
      .replace(
        "<body>",
        '<body><outline text="Group">\n<outline text="P" htmlUrl="https://pix.example/discover/tags/birds"/>',
      )
      .replace("</body>", "</outline></body>"),
  );
  expect((await sluice("import", "streams", grouped)).data).toMatchObject({ added: 3 });
  const rows = await db.stream.findMany({ orderBy: { hashtag: "asc" } });
  expect(rows.map(({ hashtag, instance }) => `${hashtag} ${instance}`)).toEqual([
    "birds pix.example",
    "cats fedi.example",
    "katzenö b.example",
  ]);
  const blog = readFileSync(file, "utf8").replace("/tags/cats.rss", "/feed.xml").replace("/tags/cats", "/");
  await expect(sluice("import", "streams", written("blog.opml", blog))).rejects.toThrow(
    "line 5 hashtag is missing",
  );
  await expect(sluice("import", "streams", written("page.html", "<html></html>"))).rejects.toThrow(
    "line 1 is not OPML",
  );
});

test("blocked users have Mastodon's two forms, without the patterns that these cannot hold", async () => {
  await sluice("import", "blocked-users", written("a.csv", sources["blocked-users"].text));
  const lines = async (format: string) => {
    const file = newFile(`${format}.csv`);
    const { data } = await sluice("export", "blocked-users", file, "--format", format);
    expect(data).toMatchObject({ entries: 1, left_out: 2 });
    expect((await sluice("import", "blocked-users", file)).data).toMatchObject({ added: 0, existing: 1 });
    return readFileSync(file, "utf8").split("\r\n");
  };
  expect(await lines("domains")).toEqual([
    "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate",
    "bad.example,suspend,false,false,,false",
    "",
  ]);
  expect(await lines("accounts")).toEqual(["spam@a.example", ""]);
});

test("an import by a member holds posts, and its undo releases them", async () => {
  const author = await makePending({ author_username: "spam", instance: "a.example" });
  const member = await makeMember();
  const holds = async () => (await db.queue_entry.findUniqueOrThrow({ where: { post_id: author.id } })).holds;
  const free = await holds();
  await sluice("import", "blocked-users", written("a.csv", "a.example\n"), "--email", member.email);
  expect(await holds()).not.toBe(free);
  const { id } = await db.change.findFirstOrThrow({ where: { member_id: member.id } });
  await undoAction(principalOfMember({ ...member, role: "admin" }, null), id, actionKinds);
  expect(await holds()).toBe(free);
  expect(await db.blocked_user.count()).toBe(0);
  const viewer = await makeMember("viewer");
  await expect(
    sluice("import", "blocked-users", written("a.csv", "a.example\n"), "--email", viewer.email),
  ).rejects.toThrow("does not allow this");
});

test("a file that is missing, too large or not text is named", async () => {
  await expect(sluice("import", "streams", newFile("none.csv"))).rejects.toThrow(/none\.csv cannot be read/);
  await expect(sluice("import", "streams", written("big.csv", "a".repeat(262_145)))).rejects.toThrow(
    /big\.csv must have at most 262144 characters/,
  );
  const binary = newFile("binary.csv");
  writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
  await expect(sluice("import", "streams", binary)).rejects.toThrow("it is not UTF-8 text");
  await expect(sluice("export", "streams", makeFolder())).rejects.toThrow("cannot be written");
});
