import { readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DELETE as discard, GET as show } from "#app/api/v1/import-fenliu/route.ts";
import { PUT as uploadPart } from "#app/api/v1/import-fenliu/file/route.ts";
import { GET as notTaken } from "#app/api/v1/import-fenliu/not-taken.csv/route.ts";
import { POST as startImport } from "#app/api/v1/import-fenliu/start/route.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { db } from "#lib/db.ts";
import { isImportDue, runImportJob } from "#lib/import-fenliu/import-job.ts";
import { runRequest } from "#lib/import-fenliu/run-request.ts";
import type { ImportState } from "#lib/import-fenliu/schema.ts";
import { uploadPath } from "#lib/import-fenliu/upload-folder.ts";
import { makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { approved, fenLiuPost, fenLiuStream, makeFenLiuFile } from "#tests/setup/fenliu-file.ts";
import { call, sessionHeaders, type CallResult, type RouteHandler } from "#tests/setup/request.ts";

const dataDir = vi.hoisted(
  () => (process.env.DATA_DIR = `${process.env.TMPDIR ?? "/tmp"}/sluice-upload-${process.pid}`),
);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

let headers: Record<string, string>;
beforeEach(async () => {
  rmSync(uploadPath(null), { recursive: true, force: true });
  await db.fenliu_import.deleteMany();
  await db.post.deleteMany();
  await db.stream.deleteMany();
  headers = await sessionHeaders(await makeMember());
});

type Answer = ImportState & { detail: string; code: string };
const ask = (handler: RouteHandler, method: string, rest: object = {}, path = "/api/v1/import-fenliu") =>
  call<Answer>(handler, { method, path, headers, ...rest });
const state = async () => (await ask(show, "GET")).json;
const start = (dry_run: boolean) => ask(startImport, "POST", { body: { dry_run } });

async function send(bytes: Uint8Array, offset: number, size: number): Promise<CallResult<Answer>> {
  const url = `http://localhost:3000/api/v1/import-fenliu/file?offset=${offset}&size=${size}`;
  const request = new Request(url, { method: "PUT", headers, body: bytes as BodyInit });
  const response = await uploadPart(request, { params: Promise.resolve({}) });
  return {
    status: response.status,
    headers: response.headers,
    text: "",
    json: (await response.json()) as Answer,
  };
}

const PART = 2 ** 20;
async function upload(file: string): Promise<void> {
  const bytes = readFileSync(file);
  for (let offset = 0; offset < bytes.length; offset += PART)
    expect((await send(bytes.subarray(offset, offset + PART), offset, bytes.length)).status).toBe(200);
}

const file = makeFenLiuFile({
  hashtag_streams: [fenLiuStream],
  posts: [
    fenLiuPost(1, approved("pending")),
    fenLiuPost(2, approved("delivered")),
    fenLiuPost(3, { url: null }),
    // Values that FenLiu never writes.
    fenLiuPost(4, { author_username: 7, text_reason: "a\0b", content: "\0<p>x</p>" }),
  ],
});

test("an upload is tried, then imported; the file is deleted, and each step is audited", async () => {
  await upload(file);
  const { size } = statSync(file);
  expect(await state()).toMatchObject({ file: { size, uploaded: size }, running: null, report: null });
  expect((await start(true)).json.running).toMatchObject({ dry_run: true, progress: 0 });
  await runRequest();
  const tried = await state();
  expect(tried).toMatchObject({
    running: null,
    report: { dry_run: true, error: null, taken: { streams: 1, posts_pending: 1, posts_delivered: 1 } },
  });
  expect(tried.report?.not_taken).toContainEqual({ table: "posts", reason: "has no address", rows: 1 });
  expect(await db.post.count()).toBe(0);
  expect((await ask(notTaken, "GET")).text).toContain("posts,3,has no address\r\n");

  await start(false);
  await runRequest();
  expect(await state()).toMatchObject({
    file: null,
    report: { dry_run: false, error: null, totals: { fetched: 4 } },
  });
  expect(await db.post.count()).toBe(3);
  const lines = await db.audit_event.findMany({ orderBy: { id: "asc" }, where: { subject: "FenLiu" } });
  expect(lines.map(({ action }) => action)).toEqual([
    "fenliu_import.dry_run",
    "fenliu_import.start",
    "fenliu_import.finish",
  ]);

  // The same file again.
  await upload(file);
  await start(false);
  await runRequest();
  expect((await state()).report?.error).toBeNull();
  expect(await db.post.count()).toBe(3);
});

test("parts arrive in order, and an upload goes on after an interruption", async () => {
  const bytes = Buffer.concat([readFileSync(file), Buffer.alloc(PART)]);
  await send(bytes.subarray(0, PART), 0, bytes.length);
  const skipped = await send(bytes.subarray(0, 10), PART + 1, bytes.length);
  expect(skipped).toMatchObject({ status: 409, json: { code: "upload_out_of_order" } });
  expect((await send(bytes.subarray(PART), PART, bytes.length + 1)).json.code).toBe("upload_out_of_order");
  expect((await start(true)).json.detail).toBe("Upload the whole file first");
  // A part that broke off.
  await send(bytes.subarray(PART, PART + 100), PART, bytes.length);
  const { file: half } = await state();
  expect(half).toEqual({ size: bytes.length, uploaded: PART + 100 });
  expect((await send(bytes.subarray(PART + 100), PART + 100, bytes.length)).status).toBe(200);
  expect(readFileSync(uploadPath("database")).equals(bytes)).toBe(true);
});

test("a part that is too long, a file that is too large and another kind of file are refused at once", async () => {
  expect((await send(Buffer.alloc(PART + 1), 0, 2 * PART)).status).toBe(400);
  expect(await state()).toMatchObject({ file: null });
  expect((await send(Buffer.alloc(20), 0, 2 ** 31 + 1)).status).toBe(422);
  const picture = await send(Buffer.from("\x89PNG and more of a picture"), 0, 2 * PART);
  expect(picture).toMatchObject({ status: 400, json: { detail: "The file is not an SQLite database" } });
  expect((await send(readFileSync(file).subarray(0, 100), 0, 50)).status).toBe(400);
  expect(await state()).toMatchObject({ file: null });
});

test("while one goes on, no other starts, and the file stays", async () => {
  await upload(file);
  expect((await start(true)).status).toBe(200);
  for (const answer of [await start(false), await ask(discard, "DELETE"), await send(Buffer.alloc(1), 0, 1)])
    expect(answer).toMatchObject({ status: 409, json: { code: "import_running" } });
  await runRequest();
  expect((await ask(discard, "DELETE")).status).toBe(204);
  expect(await state()).toEqual({ file: null, running: null, report: null });
});

describe("a file that", () => {
  const broken = (
    change: (copy: string) => void,
    tables: Parameters<typeof makeFenLiuFile>[0] = { posts: [] },
  ) => {
    const copy = makeFenLiuFile({ hashtag_streams: [fenLiuStream], ...tables });
    change(copy);
    return copy;
  };
  const altered = (sql: string) => (copy: string) => {
    const database = new DatabaseSync(copy);
    database.exec(sql);
    database.close();
  };
  const many = { posts: Array.from({ length: 500 }, (_, i) => fenLiuPost(i + 1)) };
  const cut = (copy: string) => truncateSync(copy, 40_000);
  const overwritten = (copy: string) => {
    const bytes = readFileSync(copy);
    bytes.fill(0xff, 20_000, 60_000);
    writeFileSync(copy, bytes);
  };
  test.each([
    ["is cut", broken(cut, many), /^The file (is damaged|cannot be read|is not an SQLite database)/],
    ["has broken pages", broken(overwritten, many), /^The file (is damaged|cannot be read)/],
    ["lacks a table", broken(altered("DROP TABLE posts")), "The file is not a database of FenLiu"],
    [
      "has a view in place of posts that never ends",
      broken(
        altered(`DROP TABLE posts; CREATE VIEW posts AS
          WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n`),
      ),
      "The file is not a database of FenLiu",
    ],
    [
      "lacks a column",
      broken(altered("ALTER TABLE posts DROP COLUMN queue_status")),
      /^The file cannot be read/,
    ],
    [
      "has an id that is too high",
      broken(() => undefined, { posts: [fenLiuPost(30_000_000)] }),
      /^The post 30000000/,
    ],
    [
      "says that its last id was very high",
      broken(() => undefined, { posts: [], review_feedback: [{ post_id: 2e9, decision: "rejected" }] }),
      /^The file has ids above/,
    ],
    [
      "has a text of many megabytes",
      broken(() => undefined, { posts: [fenLiuPost(1, { content: "x".repeat(4_000_001) })] }),
      /^The post 1 has no valid id, or is too long$/,
    ],
  ])("%s gives a sentence, and changes nothing", async (_, copy, sentence) => {
    await upload(copy);
    await start(false);
    await runRequest();
    const { report, running, file: kept } = await state();
    expect(report?.error).toEqual(sentence instanceof RegExp ? expect.stringMatching(sentence) : sentence);
    expect([running, kept !== null]).toEqual([null, true]);
    expect(await db.fenliu_import.count()).toBe(0);
  });
});

test("an installation with posts says so", async () => {
  await makePost();
  await upload(file);
  await start(true);
  await runRequest();
  expect((await state()).report?.error).toMatch(/^This installation has posts/);
});

test("only admins with a session reach it", async () => {
  const of = async (role: Role) =>
    (await ask(show, "GET", { headers: await sessionHeaders(await makeMember(role)) })).status;
  expect([await of("viewer"), await of("reviewer"), await of("admin")]).toEqual([403, 403, 200]);
  const key = await makeKey({ scopes: ["manage"] });
  expect((await call<Answer>(show, { path: "/api/v1/import-fenliu", key })).json.code).toBe("session_only");
  const foreign = { ...headers, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await ask(startImport, "POST", { headers: foreign, body: { dry_run: false } })).json.code).toBe(
    "cross_site",
  );
});

test("a process of its own does it, and an old file is deleted", async () => {
  await upload(file);
  await start(false);
  expect(await isImportDue()).toBe(true);
  await runImportJob();
  // One at a time.
  expect(await isImportDue()).toBe(false);
  await expect.poll(async () => (await state()).report?.error, { timeout: 30_000 }).toBeNull();
  expect(await db.post.count()).toBe(3);
  // Nobody imports this one.
  await upload(file);
  const old = new Date(Date.now() - 8 * 86_400_000);
  utimesSync(uploadPath("database"), old, old);
  await expect.poll(isImportDue, { timeout: 10_000 }).toBe(true);
  await runImportJob();
  expect((await state()).file).toBeNull();
});
