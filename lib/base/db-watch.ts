import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { sleep } from "./clock.ts";
import { isConnectionLimit, isDatabaseAway } from "./errors.ts";
import { log } from "./log.ts";

/*
 * Detects a database that no longer answers. PostgreSQL's protocol has no heartbeat, so a frozen or disconnected server
 * looks like a slow statement, and a pooler lets statements wait while its server is down. When a statement has had no
 * answer for a while, a new connection asks whether the server still runs it. If not, the statement's connection is
 * closed and the request is answered with 503 (docs/decisions/0020-silent-database.md).
 */

export interface WatchTimes {
  intervalMs: number;
  /** Statements unanswered for this long are checked. */
  checkAfterMs: number;
  /** Time between two checks of a statement. */
  checkAgainMs: number;
  /** Time limit of a check. */
  probeMs: number;
  /** A check that waits in a pooler counts as an outage after this time without any answer of the server. */
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

/** Checks in a row that may miss the statement: its answer may be in transit at the first one. */
const MAX_UNKNOWN = 2;

interface Statement {
  client: pg.Client;
  text: string;
  /** Time of performance.now(), as `check_at`. */
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
    observeStatements(client, (text) => {
      const begun = performance.now();
      const statement = { client, text, begun, check_at: begun + times.checkAfterMs, unknown: 0 };
      open.add(statement);
      timer ??= setInterval(() => void check(), times.intervalMs).unref();
      return (error) => {
        open.delete(statement);
        if (!(error instanceof Error) || isAnswer(error)) lastAnswer = performance.now();
      };
    });
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
    const now = performance.now();
    // A check proves nothing when this process was suspended.
    if (now - begun > 2 * times.probeMs) return;
    for (const statement of overdue.filter((each) => open.has(each))) {
      if (isAlive(statement, server, now)) {
        statement.unknown = 0;
        statement.check_at = now + times.checkAgainMs;
      } else if (typeof server === "object" && ++statement.unknown < MAX_UNKNOWN) {
        statement.check_at = now + times.checkAfterMs;
      } else {
        open.delete(statement);
        const state = typeof server === "object" ? "answers" : server;
        log.warn({ server: state }, "database statement got no answer, connection closed");
        // `end` destroys the socket while a statement runs.
        void statement.client.end();
      }
    }
  }

  function isAlive({ text, begun }: Statement, server: ServerView, now: number): boolean {
    // PostgreSQL shows the beginning of a text (`track_activity_query_size`).
    if (typeof server === "object")
      return server === null || server.some((shown) => shown !== "" && text.startsWith(shown));
    // The pooler's connections may all be at work for others.
    return server === "waits" && now - Math.max(begun, lastAnswer) < times.patienceMs;
  }
}

/** Calls `begin` before each statement of a client, and the function that it returns when the statement has ended. */
function observeStatements(client: pg.Client, begin: (text: string) => (error?: unknown) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const observed = (...args: unknown[]): unknown => {
    const end = begin(textOf(args[0]));
    const callback = args.at(-1);
    if (typeof callback === "function") {
      return query(...args.slice(0, -1), (...answer: unknown[]) => {
        end(answer[0]);
        Reflect.apply(callback, undefined, answer);
      });
    }
    const answer = query(...args);
    if (answer instanceof Promise) answer.then(() => end(), end);
    else end();
    return answer;
  };
  client.query = observed as typeof client.query;
}

function textOf(query: unknown): string {
  return typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? "");
}

/** Whether the server itself sent the error, not the socket or a pooler. */
function isAnswer(error: Error): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseAway(error);
}

/**
 * Texts of running statements; null when the server does not report them. `waits`: a pooler accepted the connection, but no
 * server executed the query. `away`: no connection.
 */
type ServerView = string[] | null | "waits" | "away";

async function askServer(connectionString: string | undefined, limitMs: number): Promise<ServerView> {
  const client = new pg.Client({ connectionString, application_name: "sluice-watch" });
  // An unhandled error event would end the process.
  client.on("error", () => undefined);
  let view: ServerView = "away";
  const ask = async () => {
    await client.connect();
    view = "waits";
    const { rows } = await client.query<{ reports: boolean; texts: string[] }>(
      `SELECT current_setting('track_activities')::boolean AS reports,
              ARRAY(SELECT query FROM pg_stat_activity
                     WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()) AS texts`,
    );
    view = rows[0]?.reports === true ? rows[0].texts : null;
  };
  const late = new AbortController();
  try {
    // An answer that has already arrived still counts.
    await Promise.race([ask(), sleep(limitMs, late.signal).then(() => nextTurn())]);
    return view;
  } catch (error) {
    // An error such as "too many clients" proves that the server is alive.
    return isConnectionLimit(error) || (error instanceof Error && isAnswer(error)) ? null : "away";
  } finally {
    late.abort();
    client.end().catch(() => undefined);
  }
}
