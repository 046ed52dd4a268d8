import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { log } from "#lib/log.ts";

/*
 * Detects a database that is frozen or was disconnected without notice. PostgreSQL's protocol has no heartbeat while a
 * statement runs. A statement timeout would also end legitimate long statements (batches, block lists), and session
 * settings do not survive a transaction pooler. So, when a statement has had no answer for a while, a new connection
 * asks the server whether it still runs the statement. If the server does not answer, or does not know the statement,
 * the old connection is closed and the request answered with 503. A running statement may take as long as it needs.
 */

/** Milliseconds. */
export interface WatchTimes {
  /** Interval between checks of unanswered statements. */
  interval: number;
  /** A statement without an answer for this long is checked. */
  checkAfter: number;
  /** Time limit for the server's answer to the check. */
  probe: number;
}

/** A 503 comes after 10 s at most: far below the 30 s after which consumers give up. */
export const WATCH_TIMES: WatchTimes = { interval: 1_000, checkAfter: 4_000, probe: 4_000 };

/** Checks in which the server may not know a statement: its answer may be in transit. */
const MAX_UNKNOWN = 2;

interface Statement {
  client: pg.Client;
  text: string;
  /** Time of the next check, as performance.now(). */
  check_at: number;
  unknown: number;
}

/**
 * Watches every statement of a pool and closes connections whose server does not answer. Their statements fail as with
 * a lost connection: the server may or may not have executed them.
 */
export function watchPool(pool: pg.Pool, connectionString: string | undefined, times = WATCH_TIMES): void {
  const open = new Set<Statement>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  pool.on("connect", (poolClient) => {
    const client = poolClient as unknown as pg.Client;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]): unknown => {
      const statement = {
        client,
        text: textOf(args[0]),
        check_at: performance.now() + times.checkAfter,
        unknown: 0,
      };
      const answered = () => open.delete(statement);
      open.add(statement);
      timer ??= setInterval(() => void look(), times.interval).unref();
      const callback = args.at(-1);
      if (typeof callback === "function") {
        return query(...args.slice(0, -1), (...answer: unknown[]) => {
          answered();
          Reflect.apply(callback, undefined, answer);
        });
      }
      const answer = query(...args);
      if (answer instanceof Promise) answer.then(answered, answered);
      else answered();
      return answer;
    };
    client.query = watched as typeof client.query;
  });

  async function look(): Promise<void> {
    if (open.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const begun = performance.now();
    const overdue = [...open].filter((statement) => statement.check_at <= begun);
    if (looking || overdue.length === 0) return;
    looking = true;
    const server = await askServer(connectionString, times.probe);
    looking = false;
    // When this process itself was suspended in between, the check proves nothing.
    if (performance.now() - begun > 2 * times.probe) return;
    for (const statement of overdue.filter((each) => open.has(each))) judge(statement, server);
  }

  function judge(statement: Statement, server: ServerView): void {
    if (server.there && (server.running === null || isRunning(statement.text, server.running))) {
      statement.unknown = 0;
      statement.check_at = performance.now() + times.checkAfter;
      return;
    }
    if (server.there && ++statement.unknown < MAX_UNKNOWN) return;
    open.delete(statement);
    log.warn({ server_answers: server.there }, "database statement got no answer, connection closed");
    // While a statement runs, `end` destroys the socket without waiting for the server.
    void statement.client.end();
  }
}

function textOf(query: unknown): string {
  return typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? "");
}

/** pg_stat_activity truncates statements to `track_activity_query_size`. */
function isRunning(text: string, running: readonly string[]): boolean {
  return running.some((shown) => shown !== "" && text.startsWith(shown));
}

interface ServerView {
  there: boolean;
  /** Texts of active statements; null when the server does not report them. */
  running: string[] | null;
}

async function askServer(connectionString: string | undefined, limit: number): Promise<ServerView> {
  const client = new pg.Client({ connectionString, application_name: "sluice-watch" });
  // An unhandled error event would end the process.
  client.on("error", () => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      askRunning(client),
      new Promise<ServerView>((resolve) => {
        // An answer that has already arrived still counts.
        const over = async () => {
          await nextTurn();
          resolve({ there: false, running: null });
        };
        timer = setTimeout(() => void over(), limit);
      }),
    ]);
  } catch (error) {
    // An error from the server ("too many clients") proves that it is alive.
    return { there: error instanceof pg.DatabaseError, running: null };
  } finally {
    clearTimeout(timer);
    client.end().catch(() => undefined);
  }
}

async function askRunning(client: pg.Client): Promise<ServerView> {
  await client.connect();
  const { rows } = await client.query<{ tells: boolean; texts: string[] }>(
    `SELECT current_setting('track_activities')::boolean AS tells,
            ARRAY(SELECT query FROM pg_stat_activity
                   WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()) AS texts`,
  );
  const view = rows[0];
  return { there: true, running: view?.tells === true ? view.texts : null };
}
