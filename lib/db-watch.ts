import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { log } from "#lib/log.ts";

/*
 * A database that is frozen (a stopped process, a storage that hangs) or that went away without saying so answers
 * nothing, and PostgreSQL's protocol has no sign of life while a statement runs. A limit for every statement would
 * end those that may take long (a batch of thousands of posts, a block list over half a million rows); session
 * settings do not survive a transaction pooler. So whoever has waited a while asks, on a connection of its own,
 * whether the server is there and knows of the statement. Only when it is not or does not is the connection cut, and
 * the request answered 503. A statement that runs is left alone for as long as it takes.
 */

/** Milliseconds. */
export interface WatchTimes {
  /** How often the watch looks at what is unanswered. */
  look: number;
  /** A statement unanswered for this long is asked after. */
  doubt: number;
  /** The server has this long to answer the question. */
  probe: number;
}

/** A 503 comes after 10 s at most: far below the 30 s after which consumers give up. */
export const WATCH_TIMES: WatchTimes = { look: 1_000, doubt: 4_000, probe: 4_000 };

/** Times a server that answers may not know of a statement: the answer may just be on its way. */
const UNKNOWN_TWICE = 2;

interface Statement {
  client: pg.Client;
  text: string;
  /** When to ask after it, on performance's clock. */
  doubt_at: number;
  unknown: number;
}

/**
 * Watches every statement that goes through a pool, and ends connections whose server does not answer. What was
 * under way fails as with a lost connection: it may or may not have been done.
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
        doubt_at: performance.now() + times.doubt,
        unknown: 0,
      };
      const answered = () => open.delete(statement);
      open.add(statement);
      timer ??= setInterval(() => void look(), times.look).unref();
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
    const doubted = [...open].filter((statement) => statement.doubt_at <= begun);
    if (looking || doubted.length === 0) return;
    looking = true;
    const server = await askServer(connectionString, times.probe);
    looking = false;
    // Whose own process stood still meanwhile has learnt nothing.
    if (performance.now() - begun > 2 * times.probe) return;
    for (const statement of doubted.filter((each) => open.has(each))) judge(statement, server);
  }

  function judge(statement: Statement, server: ServerView): void {
    if (server.there && (server.running === null || isRunning(statement.text, server.running))) {
      statement.unknown = 0;
      statement.doubt_at = performance.now() + times.doubt;
      return;
    }
    if (server.there && ++statement.unknown < UNKNOWN_TWICE) return;
    open.delete(statement);
    log.warn({ server_answers: server.there }, "a statement got no answer; its connection is cut");
    // With a statement under way this cuts the socket without waiting for the server.
    void statement.client.end();
  }
}

function textOf(query: unknown): string {
  return typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? "");
}

/** The server shows the beginning of a statement's text (`track_activity_query_size`). */
function isRunning(text: string, running: readonly string[]): boolean {
  return running.some((shown) => shown !== "" && text.startsWith(shown));
}

interface ServerView {
  there: boolean;
  /** Texts of the statements it works at; null when it does not tell. */
  running: string[] | null;
}

async function askServer(connectionString: string | undefined, limit: number): Promise<ServerView> {
  const client = new pg.Client({ connectionString, application_name: "sluice-watch" });
  // A connection that breaks afterwards has nobody left to tell.
  client.on("error", () => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      askRunning(client),
      new Promise<ServerView>((resolve) => {
        // An answer that has arrived in the same turn counts.
        const over = async () => {
          await nextTurn();
          resolve({ there: false, running: null });
        };
        timer = setTimeout(() => void over(), limit);
      }),
    ]);
  } catch (error) {
    // A refusal in the server's own words ("too many clients") is a sign of life.
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
