import { randomUUID } from "node:crypto";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { GET as listActions } from "#app/api/v1/actions/route.ts";
import { POST as undoAction } from "#app/api/v1/actions/[id]/undo/route.ts";
import { POST as ack } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { POST as cleanup } from "#app/api/v1/curated/cleanup/route.ts";
import { POST as reportError } from "#app/api/v1/curated/[post_id]/error/route.ts";
import { POST as nack } from "#app/api/v1/curated/[post_id]/nack/route.ts";
import { POST as requeue } from "#app/api/v1/curated/[post_id]/requeue/route.ts";
import { GET as getNext } from "#app/api/v1/curated/next/route.ts";
import { GET as getPost, PATCH as patchPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as runBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import type { ActionList } from "#lib/actions/schema.ts";
import { createClient, db, disconnectDb } from "#lib/db.ts";
import type { PostDetail } from "#lib/posts/schema.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import type { QueueItem } from "#lib/queue/schema.ts";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { writeBackup } from "#lib/runtime/backup/write-backup.ts";
import { checkSources, isAnyCheckDue } from "#lib/sources/check-sources.ts";
import { fetchStream } from "#lib/streams/fetch-streams.ts";
import { makeDatabase, makeFolder } from "#tests/integration/runtime/backup-database.ts";
import { makeCaller } from "./action-rows/action-row.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";
import type { SimPost } from "#tests/simulated-server/server.ts";

/*
 * Random orders of the operations of authors, reviewers, consumers and operators. A post is handed out only with a text
 * that a reviewer read and approved, and never after its author's withdrawal was seen.
 */

const home = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const server = await startSimulatedServer({ posts: 0, hashtags: ["cats"] });
  server.control.rateLimit = null;
  process.env.ALLOWED_PRIVATE_HOSTS = server.origin;
  return server;
});
const holder = globalThis as { sluiceDb?: ReturnType<typeof createClient> };
const firstUrl = process.env.DATABASE_URL ?? "";
afterAll(() => home.close());

const AUTHORS = 3;
const POSTS = 6;

interface Known {
  source: SimPost;
  author: number;
  id: number;
  /** Texts that a reviewer read when approving the post. */
  approved: Set<string>;
  /** The author withdrew the post, and the application saw that. */
  isWithdrawn: boolean;
  isAcked: boolean;
  isEdited: boolean;
  seen: { version: number; text: string } | null;
}

class Walk {
  readonly posts: Known[] = [];
  private streamId = 0;
  private key = "";
  private caller!: Awaited<ReturnType<typeof makeCaller>>;
  private backup: { file: string; url: string } | null = null;
  private url = firstUrl;
  private edits = 0;

  async begin() {
    await db.stream.deleteMany();
    await db.post.deleteMany();
    await db.consent_drop.deleteMany();
    await db.tombstone.deleteMany();
    await db.blocked_user.deleteMany();
    await db.host_state.deleteMany();
    home.control.posts.length = 0;
    this.key = await makeKey();
    this.caller = await makeCaller();
    const stream = await makeStream({ hashtag: "cats", instance: home.host });
    this.streamId = stream.id;
    const someone = home.control.findAuthor("mira");
    const authors = Array.from({ length: AUTHORS }, (_, n) => ({
      ...someone,
      username: `author${n}_${randomUUID().slice(0, 8)}`,
      bio: "",
      host: null,
    }));
    for (let n = 0; n < POSTS; n++) {
      const author = n % AUTHORS;
      const given = { hashtags: ["cats"], author: authors[author]!, paragraphs: [`text ${n}`] };
      const source = home.control.addPost(given, "text");
      this.posts.push({
        source,
        author,
        id: 0,
        approved: new Set(),
        isWithdrawn: false,
        isAcked: false,
        isEdited: false,
        seen: null,
      });
    }
    await this.fetch();
    for (const post of this.posts) {
      const { id } = await db.post.findFirstOrThrow({ where: { uri: { endsWith: `/${post.source.id}` } } });
      post.id = id;
    }
  }

  private send = <Answer>(handler: RouteHandler, id: number | string, body?: unknown, method = "POST") =>
    call<Answer>(handler, {
      method,
      path: "/api/v1/x",
      params: { id: String(id), post_id: String(id) },
      key: this.key,
      ...(body === undefined ? {} : { body }),
    });

  private async show(post: Known) {
    const { status, json } = await this.send<PostDetail>(getPost, post.id, undefined, "GET");
    post.seen = status === 200 ? { version: json.version, text: await this.stored(post) } : null;
    return post.seen;
  }

  private async stored(post: Known): Promise<string> {
    return (await db.post.findUnique({ where: { id: post.id } }))?.plain_text ?? "";
  }

  /** Refusals of authors whose posts are in the timeline are seen. */
  private async fetch() {
    await db.host_state.updateMany({ data: { state: {} } });
    await fetchStream(this.streamId, { limit: 400 });
    const refusing = new Set(
      this.posts
        .filter(({ source }) => source.deleted === null && source.author.bio !== "")
        .map(({ author }) => author),
    );
    for (const post of this.posts) if (refusing.has(post.author)) post.isWithdrawn = true;
  }

  private async check() {
    const ids = this.posts.map(({ id }) => id);
    const stored = (await db.post.findMany({ where: { id: { in: ids } }, select: { id: true } })).map(
      ({ id }) => id,
    );
    await db.host_state.updateMany({ data: { state: {} } });
    await wantSourceChecks(db, stored);
    await db.source_check.updateMany({ data: { due_at: new Date(0) } });
    home.control.requests.length = 0;
    // One call asks a host about a few posts only, and about none that a consumer has.
    for (let n = 0; n < POSTS && (await isAnyCheckDue()); n++)
      await checkSources({ deadline: new Date(Date.now() + 20_000) });
    const asked = home.control.requests.map(({ path }) => path);
    for (const post of this.posts) {
      const isRefused = post.source.deleted !== null || post.source.author.bio !== "";
      if (isRefused && asked.some((address) => address.includes(post.source.id))) post.isWithdrawn = true;
    }
  }

  private async drain(query = "", count = POSTS) {
    for (let n = 0; n < count; n++) {
      const answer = await call<QueueItem>(getNext, { path: `/api/v1/curated/next${query}`, key: this.key });
      if (answer.status === 204) return;
      expect(answer.status).toBe(200);
      await this.expectReadAndWanted(answer.json.fenliu_post_id);
    }
  }

  private async expectReadAndWanted(id: number) {
    const post = this.posts.find((each) => each.id === id);
    expect([...(post?.approved ?? [])], "texts read and approved").toContain(
      post && (await this.stored(post)),
    );
    expect(post).toMatchObject({ isWithdrawn: false, isAcked: false });
  }

  readonly operations: Record<string, (post: Known, n: number) => unknown> = {
    fetch: () => this.fetch(),
    check: () => this.check(),
    edit: (post) => {
      if (post.source.deleted !== null) return;
      post.isEdited = true;
      home.control.editPost(post.source.id, [`edited ${++this.edits}`]);
    },
    deleteAtHome: (post, n) => {
      if (post.source.deleted === null && n % 2 === 0) home.control.deletePost(post.source.id, "gone");
    },
    refuse: (post, n) => {
      if (n % 6 === 0) post.source.author.bio = "#nobot";
    },
    look: (post) => this.show(post),
    review: async (post, n) => {
      const seen = n % 2 === 0 ? await this.show(post) : post.seen;
      if (seen === null) return;
      const approved = n % 3 !== 0;
      const { status } = await this.caller.post(
        patchPost,
        `posts/${post.id}`,
        { approved, version: seen.version },
        { id: String(post.id) },
        "PATCH",
      );
      if (status === 200 && approved) post.approved.add(seen.text);
    },
    decide: async (post, n) => {
      const seen = n % 2 === 0 ? await this.show(post) : post.seen;
      if (seen === null) return;
      const decision = n % 4 === 0 ? "reject" : "approve";
      const body = {
        decisions: [{ id: randomUUID(), post_id: post.id, decision, version: seen.version }],
      };
      const { json } = await this.caller.post<{ results: DecisionResult[] }>(
        decide,
        "review/decisions",
        body,
      );
      if (json.results[0]?.result === "applied" && decision === "approve") post.approved.add(seen.text);
    },
    batch: async (_post, n) => {
      const shown: { id: number; approved: boolean | null; version: number }[] = [];
      const texts = new Map<number, string>();
      for (const post of this.posts) {
        const row = await db.post.findUnique({ where: { id: post.id } });
        if (row === null || (row.approved !== null && n % 2 === 0)) continue;
        const seen = (n % 3 === 0 ? post.seen : null) ?? { version: row.version, text: row.plain_text };
        shown.push({ id: post.id, approved: row.approved, version: seen.version });
        texts.set(post.id, seen.text);
      }
      if (shown.length === 0) return;
      const decision = n % 5 === 0 ? "reject" : "approve";
      const body = { post_ids: shown.map(({ id }) => id), shown, decision };
      const { status, json } = await this.caller.post<{ unchanged: { post_id: number }[] }>(
        runBatch,
        "review/batch",
        body,
      );
      if (status !== 200 || decision === "reject") return;
      for (const post of this.posts) {
        const text = texts.get(post.id);
        if (text !== undefined && !json.unchanged.some(({ post_id }) => post_id === post.id))
          post.approved.add(text);
      }
    },
    undo: async (_post, n) => {
      const { items } = await this.history();
      const item = items[n % Math.max(1, Math.min(4, items.length))];
      if (item !== undefined) await this.undo(item.id);
    },
    next: (_post, n) => this.drain(["", "?random=1", "?include_topical=1"][n % 3] ?? "", 1 + (n % POSTS)),
    ack: async (post) => {
      const { status } = await this.send(ack, post.id);
      if (status === 204) post.isAcked = true;
    },
    nack: (post) => this.send(nack, post.id),
    error: (post, n) =>
      this.send(reportError, post.id, { reason: n % 4 === 0 ? "Post not found" : "Error of the bot" }),
    timeOut: (post) => db.$executeRaw`
      UPDATE queue_entry SET lease_expires_at = now() - interval '1 second'
       WHERE post_id = ${post.id} AND lease_expires_at IS NOT NULL`,
    endPauses: () => db.$executeRaw`UPDATE queue_entry SET not_before = NULL WHERE state = 'pending'`,
    requeue: (post) => this.send(requeue, post.id),
    cleanup: async (_post, n) => {
      if (n % 3 === 0)
        await call(cleanup, {
          method: "POST",
          path: "/api/v1/curated/cleanup?retention_days=0",
          key: this.key,
        });
    },
  };

  private history = async () => (await this.caller.get<ActionList>(listActions, "actions?limit=100")).json;

  private undo = (id: string) => this.caller.post(undoAction, `actions/${id}/undo`, undefined, { id });

  async backUp() {
    const file = path.join(makeFolder(), "backup.zip");
    await writeBackup({ url: this.url, file, sealed: null });
    this.backup = { file, url: this.url };
  }

  /** Into a new database, with the refusals and deletions of the present one. */
  async restore() {
    if (this.backup === null) return;
    const target = await makeDatabase();
    await disconnectDb();
    await restoreBackup({ url: target, file: this.backup.file, former: { url: this.url, place: "old" } });
    this.url = target;
    holder.sluiceDb = createClient(target);
    for (const post of this.posts) {
      const entry = await db.queue_entry.findUnique({ where: { post_id: post.id } });
      post.isAcked = entry?.state === "delivered";
    }
  }

  async end() {
    await this.check();
    await this.drain();
    await this.expectFigures();
    for (const { id } of this.posts) await this.send(nack, id);
    // Undone from the newest on, everything is as it was, except what others changed since.
    for (;;) {
      const { items } = await this.history();
      const open = items.find(({ undoable, restorable }) => undoable && restorable > 0);
      if (open === undefined) break;
      const { status } = await this.undo(open.id);
      expect(status).toBe(200);
    }
    await this.expectFigures();
    const left = await db.post.findMany({
      where: { approved: { not: null }, OR: [{ queue_entry: null }, { queue_entry: { state: "pending" } }] },
      select: { id: true },
    });
    for (const { id } of left) {
      const post = this.posts.find((each) => each.id === id);
      if (post?.isWithdrawn || post?.isEdited) continue;
      const items = await db.change_item.findMany({ where: { post_id: id } });
      const changes = await db.change.findMany({
        where: { id: { in: items.map((item) => item.change_id) } },
      });
      // An earlier undo left the post, because it was handed out or decided again at that time.
      expect(
        changes.some(
          ({ undo, undone_at }) => undone_at === null || !/"limits":\s*\{\}/.test(JSON.stringify(undo)),
        ),
      ).toBe(true);
    }
  }

  /** Levels of the statistics, against a count of the rows. */
  private async expectFigures() {
    const { json } = await call<Record<string, number>>(getStats, { path: "/api/v1/stats", key: this.key });
    const [rows] = await db.$queryRaw<Record<string, number>[]>`
      SELECT count(*)::int AS total_posts, count(*) FILTER (WHERE approved)::int AS approved_posts,
             count(*) FILTER (WHERE approved IS FALSE)::int AS rejected_posts,
             count(*) FILTER (WHERE approved IS NULL)::int AS unreviewed_posts
        FROM post`;
    expect(json).toMatchObject(rows ?? {});
  }

  async close() {
    if (this.url === firstUrl) return;
    await disconnectDb();
  }
}

const names = [
  ..."fetch fetch check edit edit deleteAtHome refuse look look review review decide decide batch undo undo".split(
    " ",
  ),
  ..."next next next next ack ack nack error timeOut endPauses requeue cleanup".split(" "),
];
// Small numbers would prefer refusals and deletions.
const operation = fc.noBias(fc.tuple(fc.constantFrom(...names), fc.nat(POSTS - 1), fc.nat(60)));

async function run(steps: [string, number, number][], restores: boolean) {
  const walk = new Walk();
  await walk.begin();
  try {
    for (const [at, [name, post, n]] of steps.entries()) {
      if (restores && at === Math.floor(steps.length / 3)) await walk.backUp();
      if (restores && at === Math.floor((2 * steps.length) / 3)) await walk.restore();
      await walk.operations[name]!(walk.posts[post]!, n);
    }
    await walk.end();
  } finally {
    await walk.close();
  }
}

/** A run takes three seconds on a quiet machine, and fifteen beside other tests. */
const limits = (runs: number) => ({
  numRuns: Number(process.env.RUNS ?? runs),
  interruptAfterTimeLimit: 120_000,
  seed: Number(process.env.FUZZ_SEED ?? 1),
  endOnFailure: true,
});

test("nothing unread or withdrawn is handed out, whatever the order of operations", async () => {
  const steps = fc.array(operation, { minLength: 1, maxLength: 70, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, (given) => run(given, false)),
    limits(20),
  );
}, 300_000);

test("nothing unread or withdrawn is handed out after a restore", async () => {
  const steps = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, (given) => run(given, true)),
    limits(3),
  );
}, 300_000);
