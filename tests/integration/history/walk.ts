import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect } from "vitest";
import { createClient, db, disconnectDb } from "#lib/base/db.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { fetchStream } from "#lib/collect/fetch-streams.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import type { QueueItem } from "#lib/queue/schema.ts";
import { switches } from "#lib/queue/switches.ts";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { writeBackup } from "#lib/runtime/backup/backup.ts";
import { apiCaller, type ApiCaller } from "#tests/setup/api-client.ts";
import { makeDatabase } from "#tests/integration/runtime/backup-database.ts";
import { makeKey, makeMember, makeStream } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";
import type { SimPost, SimulatedServer } from "#tests/simulated-server/server.ts";
import { makeFolder } from "#tests/setup/folder.ts";

const holder = globalThis as { sluiceDb?: ReturnType<typeof createClient> };

const AUTHORS = 3;
export const POSTS = 6;

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

/** A post that `GET /curated/next` returned, with its state at the start of the call. */
interface Handout {
  post: Known | undefined;
  text: string;
  isWithdrawn: boolean;
  isAcked: boolean;
}

/** `n` chooses between the variants of an operation. */
export type Step = [name: string, post: number, n: number];

/** Operations that may return this post, or any post, to the queue. */
const RELEASES = new Set(["nack", "error", "timeOut", "requeue", "review", "decide"]);
const RELEASES_ANY = new Set(["undo", "batch"]);

/** Texts of these posts, without markup and hashtags. */
const textOf = (content: string) => /(?:text|edited) \d+/.exec(content)?.[0] ?? "";

/** Operations of authors, reviewers, consumers and operators on a few posts, and demands on each of them. */
export class Walk {
  readonly posts: Known[] = [];
  private readonly home: SimulatedServer;
  private readonly processes: readonly string[];
  private readonly firstUrl: string;
  private url: string;
  private streamId = 0;
  private keyHeaders: Record<string, string> = {};
  private memberHeaders: Record<string, string> = {};
  private backup: { file: string; url: string } | null = null;
  private edits = 0;
  private requests = 0;
  private handouts: Handout[] = [];
  /** A fetch and a source check read one host, so they take turns. */
  private hostQueue: Promise<unknown> = Promise.resolve();

  /** @param processes addresses of the processes that serve the API; requests go to each in turn */
  constructor(home: SimulatedServer, databaseUrl: string, processes: readonly string[]) {
    this.home = home;
    this.firstUrl = databaseUrl;
    this.url = databaseUrl;
    this.processes = processes;
  }

  async begin() {
    await db.stream.deleteMany();
    await db.post.deleteMany();
    await db.tombstone.deleteMany();
    await db.blocked_user.deleteMany();
    await db.host_state.deleteMany();
    this.home.control.posts.length = 0;
    this.keyHeaders = { "x-api-key": await makeKey() };
    this.memberHeaders = await sessionHeaders(await makeMember("admin"));
    const stream = await makeStream({ hashtag: "cats", instance: this.home.host });
    this.streamId = stream.id;
    const someone = this.home.control.findAuthor("mira");
    const authors = Array.from({ length: AUTHORS }, (_, n) => ({
      ...someone,
      username: `author${n}_${randomUUID().slice(0, 8)}`,
      bio: "",
      host: null,
    }));
    for (let n = 0; n < POSTS; n++) {
      const author = n % AUTHORS;
      const given = { hashtags: ["cats"], author: authors[author]!, paragraphs: [`text ${n}`] };
      this.posts.push({
        source: this.home.control.addPost(given, "text"),
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

  /** Runs the steps at the same time. Demands compare with the state before all of them. */
  async runTogether(steps: readonly Step[]) {
    const held = await db.queue_entry.findMany({
      where: { state: "reserved", lease_expires_at: { gt: new Date() } },
      select: { post_id: true },
    });
    this.handouts = [];
    await Promise.all(steps.map(([name, post, n]) => this.operations[name]!(this.posts[post]!, n)));
    for (const { post, text, ...before } of this.handouts) {
      expect([...(post?.approved ?? [])], "texts read and approved").toContain(text);
      expect(before).toEqual({ isWithdrawn: false, isAcked: false });
    }
    for (const post of this.posts) {
      const releases = steps.filter(
        ([name, at]) => RELEASES_ANY.has(name) || (RELEASES.has(name) && this.posts[at] === post),
      );
      const wasHeld = held.some(({ post_id }) => post_id === post.id);
      const leases = this.handouts.filter((each) => each.post === post).length + Number(wasHeld);
      expect(leases, "leases of one post").toBeLessThanOrEqual(1 + releases.length);
    }
  }

  private request(headers: Record<string, string>): ApiCaller {
    return async (method, pathname, body) => {
      const origin = this.processes[this.requests++ % this.processes.length]!;
      const answer = await apiCaller(origin, headers)<never>(method, `/${pathname}`, body);
      expect(answer.status, JSON.stringify(answer.json)).toBeLessThan(500);
      return answer;
    };
  }

  private asBot: ApiCaller = (...asked) => this.request(this.keyHeaders)(...asked);
  private asMember: ApiCaller = (...asked) => this.request(this.memberHeaders)(...asked);

  private async show(post: Known) {
    const { status, json } = await this.asBot<PostDetail>("GET", `posts/${post.id}`);
    post.seen = status === 200 ? { version: json.version, text: textOf(json.content) } : null;
    return post.seen;
  }

  private isRefused = ({ source }: Known) => source.deleted !== null || source.author.bio !== "";

  private onHost(work: () => Promise<void>): Promise<void> {
    const done = this.hostQueue.then(work);
    this.hostQueue = done.catch(() => undefined);
    return done;
  }

  /** Refusals of authors whose posts are in the timeline are seen. */
  private fetch = () =>
    this.onHost(async () => {
      const refusing = new Set(
        this.posts
          .filter(({ source }) => source.deleted === null && source.author.bio !== "")
          .map(({ author }) => author),
      );
      await db.host_state.updateMany({ data: { state: {} } });
      await fetchStream(this.streamId, { limit: 400 });
      for (const post of this.posts) if (refusing.has(post.author)) post.isWithdrawn = true;
    });

  private check = () =>
    this.onHost(async () => {
      const refused = this.posts.filter(this.isRefused);
      const ids = this.posts.map(({ id }) => id);
      const stored = await db.post.findMany({ where: { id: { in: ids } }, select: { id: true } });
      await db.host_state.updateMany({ data: { state: {} } });
      await wantSourceChecks(
        db,
        stored.map(({ id }) => id),
      );
      await db.source_check.updateMany({ data: { due_at: new Date(0) } });
      this.home.control.requests.length = 0;
      // One call asks a host about a few posts only, and about none that a consumer has.
      for (let n = 0, checked = 1; n < POSTS && checked > 0; n++)
        ({ checked } = await checkSources({ deadline: new Date(Date.now() + 20_000) }));
      const asked = this.home.control.requests.map((each) => each.path);
      for (const post of refused)
        if (asked.some((address) => address.includes(post.source.id))) post.isWithdrawn = true;
    });

  /** Consumers that ask at the same time. */
  private async reserve(query: string, count: number) {
    const before = new Map(
      this.posts.map(({ id, isWithdrawn, isAcked }) => [id, { isWithdrawn, isAcked }] as const),
    );
    const asked = Array.from({ length: count }, () => this.asBot<QueueItem>("GET", `curated/next${query}`));
    for (const { status, json } of await Promise.all(asked)) {
      if (status === 204) continue;
      expect(status).toBe(200);
      const id = json.fenliu_post_id;
      const state = before.get(id) ?? { isWithdrawn: false, isAcked: false };
      const post = this.posts.find((each) => each.id === id);
      this.handouts.push({ post, text: textOf(json.content_snippet), ...state });
    }
  }

  private readonly operations: Record<string, (post: Known, n: number) => unknown> = {
    fetch: () => this.fetch(),
    check: () => this.check(),
    edit: (post) => {
      if (post.source.deleted !== null) return;
      post.isEdited = true;
      this.home.control.editPost(post.source.id, [`edited ${++this.edits}`]);
    },
    deleteAtHome: (post, n) => {
      if (post.source.deleted === null && n % 2 === 0) this.home.control.deletePost(post.source.id, "gone");
    },
    refuse: (post, n) => {
      if (n % 6 === 0) post.source.author.bio = "#nobot";
    },
    look: (post) => this.show(post),
    review: async (post, n) => {
      const seen = n % 2 === 0 ? await this.show(post) : post.seen;
      if (seen === null) return;
      const approved = n % 3 !== 0;
      const body = { approved, version: seen.version };
      const { status } = await this.asMember("PATCH", `posts/${post.id}`, body);
      if (status === 200 && approved) post.approved.add(seen.text);
    },
    decide: async (post, n) => {
      const seen = n % 2 === 0 ? await this.show(post) : post.seen;
      if (seen === null) return;
      const decision = n % 4 === 0 ? "reject" : "approve";
      const body = {
        decisions: [{ id: randomUUID(), post_id: post.id, decision, version: seen.version }],
      };
      const { json } = await this.asMember<{ results: DecisionResult[] }>("POST", "review/decisions", body);
      if (json.results[0]?.result === "applied" && decision === "approve") post.approved.add(seen.text);
    },
    batch: async (_post, n) => {
      const shown: { id: number; approved: boolean | null; version: number }[] = [];
      const texts = new Map<number, string>();
      for (const post of this.posts) {
        const row = await db.post.findUnique({ where: { id: post.id } });
        if (row === null || (row.approved !== null && n % 2 === 0)) continue;
        const seen = (n % 3 === 0 ? post.seen : null) ?? {
          version: row.version,
          text: textOf(row.plain_text),
        };
        shown.push({ id: post.id, approved: row.approved, version: seen.version });
        texts.set(post.id, seen.text);
      }
      if (shown.length === 0) return;
      const decision = n % 5 === 0 ? "reject" : "approve";
      const body = { post_ids: shown.map(({ id }) => id), shown, decision };
      const { status, json } = await this.asMember<{ unchanged: { post_id: number }[] }>(
        "POST",
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
      const changes = await this.openChanges();
      const change = changes[n % Math.max(1, Math.min(4, changes.length))];
      if (change !== undefined) await this.undo(change);
    },
    next: (_post, n) => this.reserve(["", "?random=1", "?include_topical=1"][n % 3] ?? "", 1 + (n % POSTS)),
    ack: async (post) => {
      const { status } = await this.asBot("POST", `curated/${post.id}/ack`);
      if (status === 204) post.isAcked = true;
    },
    nack: (post) => this.asBot("POST", `curated/${post.id}/nack`),
    error: (post, n) => {
      const reason = n % 4 === 0 ? "Post not found" : "Error of the bot";
      return this.asBot("POST", `curated/${post.id}/error`, { reason });
    },
    timeOut: (post) => db.$executeRaw`
      UPDATE queue_entry SET lease_expires_at = now() - interval '1 second'
       WHERE post_id = ${post.id} AND lease_expires_at IS NOT NULL`,
    endPauses: () => db.$executeRaw`UPDATE queue_entry SET not_before = NULL WHERE state = 'pending'`,
    requeue: (post) => this.asBot("POST", `curated/${post.id}/requeue`),
    cleanup: async (_post, n) => {
      if (n % 3 === 0) await this.asBot("POST", "curated/cleanup?retention_days=0");
    },
  };

  /** Decisions and batches that were not undone, newest first. */
  private openChanges = () => db.$queryRaw<{ id: string; is_batch: boolean; post_id: number }[]>`
    SELECT coalesce(e.details ->> 'batch_id', e.details ->> 'decision_id') AS id, e.details ? 'batch_id' AS is_batch,
           min(e.post_id) AS post_id
      FROM post_event e WHERE e.before IS NOT NULL AND NOT EXISTS (
        SELECT FROM post_event undo WHERE CASE WHEN e.details ? 'batch_id'
               THEN undo.action = 'batch_undo' AND undo.details ->> 'batch' = e.details ->> 'batch_id'
               ELSE undo.post_id = e.post_id AND undo.details ->> 'undoes' = e.details ->> 'decision_id' END)
     GROUP BY 1, 2 ORDER BY max(e.id) DESC`;

  private async undo({ id, is_batch, post_id }: Awaited<ReturnType<Walk["openChanges"]>>[number]) {
    if (is_batch) return this.asMember("POST", `review/batch/${id}/undo`);
    const decisions = [{ id: randomUUID(), post_id, decision: "undo", undoes: id }];
    return this.asMember("POST", "review/decisions", { decisions });
  }

  async backUp() {
    const file = path.join(makeFolder(), "backup.zip");
    await writeBackup({ url: this.url, file });
    this.backup = { file, url: this.url };
  }

  /** Into a new database. */
  async restore() {
    if (this.backup === null) return;
    const target = await makeDatabase();
    await disconnectDb();
    await restoreBackup({ url: target, file: this.backup.file });
    this.url = target;
    holder.sluiceDb = createClient(target);
    await switches.set({ deliveries_paused: false });
    for (const post of this.posts) {
      const entry = await db.queue_entry.findUnique({ where: { post_id: post.id } });
      post.isAcked = entry?.state === "delivered";
    }
  }

  async end() {
    await this.check();
    await this.runTogether([["next", 0, 3 * POSTS - 1]]);
    await this.expectFigures();
    await this.expectLoggedLeases();
    for (const { id } of this.posts) await this.asBot("POST", `curated/${id}/nack`);
    // Undone from the newest on, everything is as it was, except what others changed since.
    for (const change of await this.openChanges()) expect((await this.undo(change)).status).toBe(200);
    await this.expectFigures();
    const left = await db.post.findMany({
      where: { approved: { not: null }, OR: [{ queue_entry: null }, { queue_entry: { state: "pending" } }] },
      select: { id: true },
    });
    for (const { id } of left) {
      const post = this.posts.find((each) => each.id === id);
      if (post?.isWithdrawn || post?.isEdited) continue;
      // An earlier undo left the post, because it was handed out or decided again at that time.
      const [{ n } = { n: 0 }] = await db.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM post_event WHERE post_id = ${id} AND before IS NOT NULL AND details ? 'batch_id'`;
      const open = await this.openChanges();
      expect(n > 0 || open.some(({ post_id }) => post_id === id)).toBe(true);
    }
  }

  /** Levels of the statistics, in every process, against a count of the rows. */
  private async expectFigures() {
    const [rows] = await db.$queryRaw<Record<string, number>[]>`
      SELECT count(*)::int AS total_posts, count(*) FILTER (WHERE approved)::int AS approved_posts,
             count(*) FILTER (WHERE approved IS FALSE)::int AS rejected_posts,
             count(*) FILTER (WHERE approved IS NULL)::int AS unreviewed_posts
        FROM post`;
    for (let n = 0; n < this.processes.length; n++) {
      const { json } = await this.asBot<Record<string, number>>("GET", "stats");
      expect(json).toMatchObject(rows ?? {});
    }
  }

  /** In the log, another change stands between two reservations of a post. */
  private async expectLoggedLeases() {
    const twice = await db.$queryRaw`
      SELECT post_id, action, former FROM (
        SELECT post_id, action, lag(action) OVER (PARTITION BY post_id ORDER BY id) AS former
          FROM post_event WHERE to_state IS NOT NULL AND to_state IS DISTINCT FROM from_state) e
       WHERE action = 'reserve' AND former = 'reserve'`;
    expect(twice).toEqual([]);
  }

  async close() {
    if (this.url !== this.firstUrl) await disconnectDb();
  }
}
