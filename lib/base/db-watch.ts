import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { isConnectionLimit, isDatabaseAway } from "./errors.ts";
import { log } from "./log.ts";

/*
 * Detects a frozen or silently disconnected database, since PostgreSQL's protocol has no heartbeat, and one that is down
 * behind a pooler, which lets statements wait. When a statement has had no answer for a while, a new connection asks
 * whether the server still runs it; if not, the statement's connection is closed and the request answered with 503
 * (docs/decisions/0020-silent-database.md).
 */

export interface WatchTimes {
  intervalMs: number;
  /** Statements unanswered for this long are checked. */
  checkAfterMs: number;
  /** Until the next check. */
  checkAgainMs: number;
  probeMs: number;
  /** Without any answer for this long, a probe that waits in a pooler counts as an outage. */
  patienceMs: number;
}

/** A pooler's refusal becomes a 503 within a second, silence within 10 s. Consumers give up after 30 s. */
export const WATCH_TIMES: WatchTimes = {
  intervalMs: 100,
  checkAfterMs: 500,
  checkAgainMs: 4_000,
  probeMs: 4_000,
  patienceMs: 30_000,
};

/** The answer may be in transit at the first check. */
const MAX_UNKNOWN = 2;

interface Statement {
  client: pg.Client;
  text: string;
  /** In the time of performance.now(). */
  begun: number;
  check_at: number;
  unknown: number;
}

/** Closes connections whose server does not answer. It may have executed their statements or not. */
export function watchPool(pool: pg.Pool, connectionString: string | undefined, times = WATCH_TIMES): void {
  const open = new Set<Statement>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  let lastAnswer = performance.now();

  pool.on("connect", (poolClient) => {
    const client = poolClient as unknown as pg.Client;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]): unknown => {
      const begun = performance.now();
      const statement = {
        client,
        text: textOf(args[0]),
        begun,
        check_at: begun + times.checkAfterMs,
        unknown: 0,
      };
      const finish = (error?: unknown) => {
        open.delete(statement);
        if (!(error instanceof Error) || isAnswer(error)) lastAnswer = performance.now();
      };
      open.add(statement);
      timer ??= setInterval(() => void check(), times.intervalMs).unref();
      const callback = args.at(-1);
      if (typeof callback === "function") {
        return query(...args.slice(0, -1), (...answer: unknown[]) => {
          finish(answer[0]);
          Reflect.apply(callback, undefined, answer);
        });
      }
      const answer = query(...args);
      if (answer instanceof Promise) answer.then(() => finish(), finish);
      else finish();
      return answer;
    };
    client.query = watched as typeof client.query;
  });

  async function check(): Promise<void> {
    if (open.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const begun = performance.now();
    const overdue = [...open].filter((statement) => statement.check_at <= begun);
    if (isChecking || overdue.length === 0) return;
    isChecking = true;
    const server = await askServer(connectionString, times.probeMs);
    isChecking = false;
    // A check proves nothing when this process was suspended.
    if (performance.now() - begun > 2 * times.probeMs) return;
    for (const statement of overdue.filter((each) => open.has(each))) judge(statement, server);
  }

  function judge(statement: Statement, server: ServerView): void {
    const now = performance.now();
    if (isAlive(statement, server, now)) {
      statement.unknown = 0;
      statement.check_at = now + times.checkAgainMs;
      return;
    }
    if (server.state === "answers" && ++statement.unknown < MAX_UNKNOWN) {
      statement.check_at = now + times.checkAfterMs;
      return;
    }
    open.delete(statement);
    log.warn({ server: server.state }, "database statement got no answer, connection closed");
    // `end` destroys the socket while a statement runs.
    void statement.client.end();
  }

  function isAlive(statement: Statement, server: ServerView, now: number): boolean {
    if (server.state === "answers") {
      return server.running === null || isRunning(statement.text, server.running);
    }
    // The pooler's connections may all be at work for others.
    return server.state === "waits" && now - Math.max(statement.begun, lastAnswer) < times.patienceMs;
  }
}

function textOf(query: unknown): string {
  return typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? "");
}

/** Truncated to `track_activity_query_size`. */
function isRunning(text: string, running: readonly string[]): boolean {
  return running.some((shown) => shown !== "" && text.startsWith(shown));
}

/** From the server, not from the socket or a pooler. */
function isAnswer(error: Error): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseAway(error);
}

type ServerView =
  /** `running` is null when the server does not report active statements. */
  | { state: "answers"; running: string[] | null }
  /** A pooler accepted the connection, and no server took the question. */
  | { state: "waits" }
  | { state: "away" };

async function askServer(connectionString: string | undefined, limitMs: number): Promise<ServerView> {
  const client = new pg.Client({ connectionString, application_name: "sluice-watch" });
  // An unhandled error event would end the process.
  client.on("error", () => undefined);
  let timer: NodeJS.Timeout | undefined;
  let connected = false;
  try {
    return await Promise.race([
      client.connect().then(() => {
        connected = true;
        return askRunning(client);
      }),
      new Promise<ServerView>((resolve) => {
        // An answer that has already arrived still counts.
        const over = async () => {
          await nextTurn();
          resolve({ state: connected ? "waits" : "away" });
        };
        timer = setTimeout(() => void over(), limitMs);
      }),
    ]);
  } catch (error) {
    // An error such as "too many clients" proves that the server is alive.
    const isAlive = isConnectionLimit(error) || (error instanceof Error && isAnswer(error));
    return isAlive ? { state: "answers", running: null } : { state: "away" };
  } finally {
    clearTimeout(timer);
    client.end().catch(() => undefined);
  }
}

async function askRunning(client: pg.Client): Promise<ServerView> {
  const { rows } = await client.query<{ tells: boolean; texts: string[] }>(
    `SELECT current_setting('track_activities')::boolean AS tells,
            ARRAY(SELECT query FROM pg_stat_activity
                   WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()) AS texts`,
  );
  const view = rows[0];
  return { state: "answers", running: view?.tells === true ? view.texts : null };
}
