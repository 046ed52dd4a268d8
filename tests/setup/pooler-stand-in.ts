import { createServer, type Socket } from "node:net";
import pg from "pg";
import { listenForDatabase } from "./database-proxy.ts";

/*
 * The part of PgBouncer's transaction mode that the tests need: clients are welcomed without a server, a statement
 * waits for a server connection, and while none can be made new statements are refused at once with PgBouncer's own
 * error (objects.c, check_fast_fail), but waiting ones wait on. Set PGBOUNCER to run the same tests with PgBouncer.
 */

export type Pooler = {
  /** Of the database, through the pooler. */
  url: string;
  stop: () => Promise<void>;
};

export type PoolerOptions = {
  /** Connections to the server. */
  size: number;
  /** Seconds until a failed connection to the server is tried again. */
  retry: number;
};

type Server = { socket: Socket; client: Client | null; pending: number };
type Client = { socket: Socket; server: Server | null; held: Buffer[]; rest: Buffer; greeted: boolean };

const LOGIN_FAILING = "server login has been failing, try again later (server_login_retry)";

class StandIn {
  private readonly databaseUrl: string;
  private readonly options: PoolerOptions;
  private readonly clients = new Set<Client>();
  private readonly servers = new Set<Server>();
  private waiting: Client[] = [];
  private connecting = false;
  /** As performance.now(); null after a success. */
  private failedAt: number | null = null;
  private welcome: Buffer | null = null;
  private readonly clock: NodeJS.Timeout;

  constructor(databaseUrl: string, options: PoolerOptions) {
    this.databaseUrl = databaseUrl;
    this.options = options;
    // Like PgBouncer's janitor, it retries while somebody waits.
    this.clock = setInterval(() => this.waiting.length > 0 && void this.launch(), 300).unref();
  }

  accept(socket: Socket): void {
    const client: Client = { socket, server: null, held: [], rest: Buffer.alloc(0), greeted: false };
    this.clients.add(client);
    socket.on("data", (chunk) => this.read(client, chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => this.forget(client));
  }

  stop(): void {
    clearInterval(this.clock);
    for (const { socket } of [...this.clients, ...this.servers]) socket.destroy();
  }

  private forget(client: Client): void {
    this.clients.delete(client);
    this.waiting = this.waiting.filter((other) => other !== client);
    // Its transaction is unfinished.
    client.server?.socket.destroy();
  }

  private read(client: Client, chunk: Buffer): void {
    client.rest = Buffer.concat([client.rest, chunk]);
    while (client.rest.length >= 8 - (client.greeted ? 3 : 0)) {
      const start = client.greeted ? 1 : 0;
      const length = client.rest.readInt32BE(start) + start;
      if (client.rest.length < length) return;
      const message = client.rest.subarray(0, length);
      client.rest = client.rest.subarray(length);
      if (!client.greeted) this.greet(client, message);
      else if (message[0] === X) return void client.socket.end();
      else this.forward(client, message);
    }
  }

  private greet(client: Client, startup: Buffer): void {
    const isCancel = startup.readInt32BE(4) === 80_877_102;
    if (isCancel) return void client.socket.destroy();
    client.greeted = true;
    if (this.welcome === null) this.wait(client);
    else client.socket.write(this.welcome);
  }

  private forward(client: Client, message: Buffer): void {
    client.held.push(message);
    if (client.server !== null) this.flush(client, client.server);
    else if (!this.waiting.includes(client)) this.wait(client);
  }

  private flush(client: Client, server: Server): void {
    for (const message of client.held) {
      if (message[0] === Q || message[0] === S) server.pending++;
      server.socket.write(message);
    }
    client.held = [];
  }

  private wait(client: Client): void {
    const idle = [...this.servers].find((server) => server.client === null);
    if (idle !== undefined) return this.link(client, idle);
    if (this.failedAt !== null && this.servers.size === 0) client.socket.end(fatal(LOGIN_FAILING));
    else this.waiting.push(client);
    void this.launch();
  }

  private link(client: Client, server: Server): void {
    if (client.held.length === 0) return void client.socket.write(this.welcome ?? "");
    server.client = client;
    client.server = server;
    this.flush(client, server);
  }

  private async launch(): Promise<void> {
    const isTooSoon = this.failedAt !== null && performance.now() - this.failedAt < this.options.retry * 1000;
    if (this.connecting || isTooSoon || this.servers.size >= this.options.size) return;
    this.connecting = true;
    const settings: string[][] = [];
    const login = new pg.Client({ connectionString: this.databaseUrl, options: "-c TimeZone=UTC" });
    login.on("error", () => undefined);
    const { connection } = login as unknown as { connection: pg.Connection };
    connection.on("parameterStatus", (told: { parameterName: string; parameterValue: string }) =>
      settings.push([told.parameterName, told.parameterValue]),
    );
    try {
      await login.connect();
      this.failedAt = null;
      this.welcome ??= welcomeOf(settings);
      this.adopt(connection.stream as Socket);
    } catch {
      this.failedAt = performance.now();
    } finally {
      this.connecting = false;
    }
  }

  /** Takes the connection over from pg. */
  private adopt(socket: Socket): void {
    socket.removeAllListeners();
    const server: Server = { socket, client: null, pending: 0 };
    this.servers.add(server);
    let rest: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      server.client?.socket.write(chunk);
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const length = rest.readInt32BE(1) + 1;
        if (rest[0] === Z) this.settle(server, rest[5] === IDLE);
        rest = rest.subarray(length);
      }
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.servers.delete(server);
      server.client?.socket.end(fatal("server conn crashed?"));
    });
    this.hand(server);
  }

  private settle(server: Server, isIdle: boolean): void {
    server.pending--;
    if (!isIdle || server.pending > 0) return;
    if (server.client !== null) server.client.server = null;
    server.client = null;
    this.hand(server);
  }

  private hand(server: Server): void {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.link(next, server);
      if (server.client !== null) return;
    }
  }
}

export async function startPoolerStandIn(databaseUrl: string, options: PoolerOptions): Promise<Pooler> {
  const standIn = new StandIn(databaseUrl, options);
  const listener = createServer((socket) => standIn.accept(socket));
  const { url, close } = await listenForDatabase(listener, databaseUrl);
  return {
    url,
    stop: async () => {
      standIn.stop();
      await close();
    },
  };
}

const [Q, S, X, Z, IDLE] = [..."QSXZI"].map((letter) => letter.charCodeAt(0));

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** PgBouncer sends this code for every error of its own, and no `V` field. */
function fatal(text: string): Buffer {
  return message("E", Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`));
}

function welcomeOf(settings: string[][]): Buffer {
  return Buffer.concat([
    message("R", Buffer.alloc(4)),
    ...settings.map((pair) => message("S", Buffer.from(`${pair.join("\0")}\0`))),
    message("K", Buffer.alloc(8)),
    message("Z", Buffer.from("I")),
  ]);
}
