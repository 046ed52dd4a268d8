import { randomUUID } from "node:crypto";
import pg from "pg";
import {
  apiCaller,
  createSession,
  fetchToEnd,
  throwOnError,
  type ApiCaller,
  type Session,
} from "#tests/setup/api-client.ts";
import { storeMember } from "#tests/setup/installation.ts";
import { addressesOf } from "./render-status.ts";
import type { SimPost } from "./model.ts";
import type { SimulatedServer } from "./server.ts";

/*
 * A week of a team of two, made through the API: after the work of a day, all times in the database are moved one day
 * into the past.
 */

export const REVIEWER = { email: "rita@sluice.example", name: "Rita", password: "look around a little" };

const DAYS = 7;
const POSTS_A_DAY = 28;
const DELIVERIES_A_DAY = 9;
/** 1 spam, 2 off topic, 3 low quality, 4 sensitive, 7 no permission. */
const REASON_BY_KIND: Partial<Record<string, number>> = {
  ...{ card: 1, poll: 2, mention: 3, emoji_only: 3, sensitive: 4, bot: 7 },
};

interface DemoInstallation {
  url: string;
  /** Of a superuser, because moving times skips triggers. */
  databaseUrl: string;
  remote: SimulatedServer;
  admin: Session;
  hashtags: readonly string[];
}

type Post = { id: number; post_id: string; reviewed_at: string | null };

/** @returns a key of the admin */
export async function addDemoWeek({
  url,
  databaseUrl,
  remote,
  admin,
  hashtags,
}: DemoInstallation): Promise<string> {
  const callAs = (session: Session) => throwOnError(apiCaller(url, { cookie: session.cookie, origin: url }));
  const call = callAs(admin);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    // No figures are compacted meanwhile, so that only the times of facts are moved.
    await database.query("SELECT pg_advisory_lock(7105)");
    // A week's requests come within seconds.
    const { rateLimit } = remote.control;
    remote.control.rateLimit = null;
    const { email, name, password } = REVIEWER;
    await storeMember(databaseUrl, { email, name, password, role: "reviewer" });
    const rita = callAs(await createSession(url, email, password));
    const { json: made } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
      name: "Demo bot",
    });
    const bot = throwOnError(apiCaller(url, { "x-api-key": made.api_key }));
    const streamIds: number[] = [];
    for (const hashtag of hashtags) {
      const { json } = await call<{ id: number }>("POST", "/streams", { hashtag, enable_scheduling: false });
      streamIds.push(json.id);
    }
    const team = { call, rita, bot, remote, streamIds };
    for (let day = 0; day < DAYS; day++) {
      if (day > 0) await ageByOneDay(database, remote);
      await workForOneDay(team, day);
    }
    await leaveOpenWork(team);
    remote.control.rateLimit = rateLimit;
    const fetches = { enable_scheduling: true, fetch_interval_minutes: 5 };
    for (const id of streamIds) await call("PATCH", `/streams/${id}`, fetches);
    return made.api_key;
  } finally {
    await database.end();
  }
}

type Team = {
  call: ApiCaller;
  rita: ApiCaller;
  bot: ApiCaller;
  remote: SimulatedServer;
  streamIds: number[];
};

/** Reviews and delivers posts of the day before, and fetches those of the day. */
async function workForOneDay(team: Team, day: number): Promise<void> {
  const { call, rita, remote } = team;
  const waiting = await listPosts(call, "reviewed=false&order=oldest&limit=100");
  await deliver(team, day);
  // A few more wait each day.
  const decided = waiting.slice(0, waiting.length - 2 * day);
  const own = decided.filter((_, at) => at % 5 < 3);
  await decide(call, remote, own);
  const others = decided.filter((post) => !own.includes(post));
  await decide(rita, remote, others);
  remote.control.arrive(POSTS_A_DAY);
  for (const id of team.streamIds) await fetchToEnd(call, id);
}

async function listPosts(call: ApiCaller, query: string): Promise<Post[]> {
  return (await call<{ items: Post[] }>("GET", `/posts?${query}`)).json.items;
}

async function decide(call: ApiCaller, remote: SimulatedServer, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return;
  const sources = sourcesOf(remote);
  const decisions = posts.map(({ id, post_id }) => {
    const reason = reasonFor(sources.get(post_id));
    const decision =
      reason === null ? { decision: "approve" } : { decision: "reject", reject_reason: reason };
    return { id: randomUUID(), post_id: id, ...decision };
  });
  await call("POST", "/review/decisions", { decisions });
}

function sourcesOf({ origin, software, control }: SimulatedServer): Map<string, SimPost> {
  return new Map(control.posts.map((post) => [addressesOf(post, { software, origin }).uri, post]));
}

function reasonFor(source: SimPost | undefined): number | null {
  if (source?.kind === "copy") return source.seq % 3 === 0 ? null : 5;
  return REASON_BY_KIND[source?.kind ?? "mention"] ?? ((source?.seq ?? 0) % 13 === 0 ? 2 : null);
}

async function deliver({ bot, remote }: Team, day: number): Promise<void> {
  const copies = sourcesOf(remote);
  const delivered: number[] = [];
  for (let turn = 0; turn < DELIVERIES_A_DAY; turn++) {
    // After the first day, posts wait: 200 with a body.
    const { status, json } = await bot<{ fenliu_post_id: number; post_uri: string }>("GET", "/curated/next");
    if (status !== 200) return;
    const id = json.fenliu_post_id;
    const fail = (body: object) => bot("POST", `/curated/${id}/error`, body);
    const [matched] = delivered;
    if (copies.get(json.post_uri)?.kind === "copy" && matched !== undefined) {
      const error_details = { error_type: "duplicate_attachment", matched_post_id: String(matched) };
      await fail({ reason: "Duplicate attachment", error_details });
    } else if (turn === 3 && day % 2 === 0) await fail({ reason: "Status not found on fediverse" });
    else if (turn === 4 && day % 3 === 0) await fail({ reason: "Timeout after 30 s while boosting" });
    else if (turn === 5) await bot("POST", `/curated/${id}/nack`);
    else {
      await bot("POST", `/curated/${id}/ack`);
      delivered.push(id);
    }
  }
}

/** An edit after an approval, decisions that are changed and taken back, and a held post. */
async function leaveOpenWork(team: Team): Promise<void> {
  const { call, rita, remote } = team;
  const sources = sourcesOf(remote);
  const approved = await listPosts(call, "queue_status=pending&order=newest&limit=100");
  const edited = approved
    .map(({ post_id }) => sources.get(post_id))
    .find((source) => source?.kind === "text");
  if (edited !== undefined) {
    remote.control.editPost(edited.id, ["Sold out. The next ones come in spring"]);
    for (const id of team.streamIds) await fetchToEnd(call, id);
  }
  const [changed, takenBack] = await listPosts(
    call,
    "approved=false&auto_rejected=false&order=newest&limit=2",
  );
  if (changed !== undefined) await call("POST", `/posts/${changed.id}/approve`);
  if (takenBack !== undefined) await rita("POST", `/posts/${takenBack.id}/review`, { approved: null });
  await call("PUT", "/reblog-controls/settings", { require_alt_text: true });
}

/**
 * Moves all past times one day back, except those that decide whether something is due: sessions, and when a post was
 * last shown by its server and a key last used.
 */
async function ageByOneDay(database: pg.Client, { control }: SimulatedServer): Promise<void> {
  for (const post of control.posts) post.created_at = new Date(post.created_at.getTime() - 86_400_000);
  for (let attempt = 1; ; attempt++) {
    try {
      await database.query(AGE_BY_ONE_DAY);
      return;
    } catch (error) {
      // The worker writes meanwhile.
      if (attempt === 100 || (error as { code?: string }).code !== "40P01") throw error;
    }
  }
}

const AGE_BY_ONE_DAY = `DO $$
  DECLARE
    moved record;
  BEGIN
    SET LOCAL session_replication_role = replica;
    -- The application waits, and never loses a deadlock.
    SET LOCAL deadlock_timeout = '20ms';
    EXECUTE (SELECT 'LOCK TABLE ' || string_agg(format('public.%I', tablename), ', ' ORDER BY tablename) || ' IN EXCLUSIVE MODE'
               FROM pg_tables WHERE schemaname = 'public');
    FOR moved IN
      SELECT table_name, string_agg(
               CASE WHEN data_type = 'timestamp with time zone'
                    THEN format('%1$I = CASE WHEN %1$I <= now() THEN %1$I - interval ''1 day'' ELSE %1$I END', column_name)
                    ELSE format('%1$I = %1$I - interval ''1 day''', column_name) END, ', ') AS changes
        FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'session'
         AND column_name NOT IN ('confirmed_at', 'last_round_at', 'last_used_at', 'last_asked_at', 'source_checked_at')
         AND data_type = 'timestamp with time zone'
       GROUP BY table_name ORDER BY table_name
    LOOP
      EXECUTE format('UPDATE public.%I SET %s', moved.table_name, moved.changes);
    END LOOP;
  END $$`;
