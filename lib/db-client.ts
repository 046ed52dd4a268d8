import pg from "pg";
import { log } from "#lib/log.ts";

/*
 * A connection to a database of several hosts: a primary and its standbys, as in
 * `postgresql://user@first:5432,second:5432/name?target_session_attrs=read-write`. node-postgres knows one host only.
 */

/** Milliseconds for the connection, and again for the answer. A pool gives up after 5 s. */
const ASK_MS = 2_000;
/** Milliseconds for which an answer serves further connections. */
const FRESH_MS = 1_000;

/** One URL for each host, in order. */
export function urlsOfHosts(url: string): string[] {
  const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(",") ? hosts.split(",").map((host) => before + host + after) : [url];
}

/** With several hosts it connects to the one that accepts writes; with one host it is pg's client. */
export class DatabaseClient extends pg.Client {
  private readonly urls: string[];
  private isEnded = false;

  constructor(config: pg.ClientConfig = {}) {
    const urls = config.connectionString === undefined ? [] : urlsOfHosts(config.connectionString);
    super({ ...config, connectionString: urls[0] });
    this.urls = urls;
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = this.urls.length > 1 ? this.connectToPrimary() : super.connect();
    if (callback === undefined) return connected as Promise<this>;
    const done = callback as (error?: Error) => void;
    connected.then(() => done(), done);
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.isEnded = true;
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  private async connectToPrimary(): Promise<void> {
    const { host, port } = await findPrimary(this.urls);
    // pg would open the connection all the same.
    if (this.isEnded) throw new Error("Connection terminated");
    Object.assign(this, { host, port });
    await super.connect();
  }
}

/** cannot_connect_now: a start waits for the promotion of a standby as for a server that is starting. */
const NOT_YET = "57P03";

type Host = { host: string; port: number };

const answers = new Map<string, { primary: Promise<Host>; until: number }>();
let last: string | undefined;

/** Connections that are opened together ask once. */
function findPrimary(urls: string[]): Promise<Host> {
  const key = urls.join();
  const known = answers.get(key);
  if (known !== undefined && performance.now() < known.until) return known.primary;
  const answer = { primary: askHosts(urls), until: Infinity };
  answers.set(key, answer);
  const keep = () => void (answer.until = performance.now() + FRESH_MS);
  answer.primary.then(keep, keep);
  return answer.primary;
}

/**
 * All at once, because a host without power answers nothing.
 *
 * @throws Error of the driver
 */
async function askHosts(urls: string[]): Promise<Host> {
  try {
    const { host, port } = await Promise.any(urls.map(askHost));
    const name = `${host}:${port}`;
    if (last !== undefined && last !== name)
      log.warn({ host: name }, "another database server accepts writes");
    last = name;
    return { host, port };
  } catch (error) {
    const errors = (error as AggregateError).errors as (Error & { code?: string })[];
    // A wrong password says more than a host that is down.
    throw (
      errors.find((each) => each instanceof pg.DatabaseError && each.code !== NOT_YET) ?? errors[0] ?? error
    );
  }
}

/** @throws Error when it cannot be reached or does not accept writes */
async function askHost(connectionString: string): Promise<Host> {
  const client = new pg.Client({
    connectionString,
    application_name: "sluice-primary",
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
  });
  // An unhandled error event would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
    const { host, port } = client;
    if (rows[0]?.transaction_read_only === "off") return { host, port };
    throw Object.assign(new Error(`The database server at ${host}:${port} is read-only`), { code: NOT_YET });
  } finally {
    client.end().catch(() => undefined);
  }
}
