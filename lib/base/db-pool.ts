import pg from "pg";
import { sleep } from "./clock.ts";
import { isConnectionLimit } from "./errors.ts";

/** Longer than IDLE_MS, so that unused connections of other processes become free meanwhile. */
const WAIT_MS = 8_000;
/** Time that a connection above the minimum stays open unused. */
const IDLE_MS = 5_000;
/** Time until a pool that met the server's limit may grow again. */
const NARROW_MS = 5_000;

/**
 * Waits for a connection when the server has none left, instead of failing: for one of its own, or until another process
 * closes an unused one.
 */
class PatientPool extends pg.Pool {
  private readonly size: number;
  private widening: NodeJS.Timeout | undefined;

  constructor(options: pg.PoolConfig & { max: number }) {
    super(options);
    this.size = options.max;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const taken = this.take();
    if (callback === undefined) return taken;
    taken.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  private async take(): Promise<pg.PoolClient> {
    const deadline = performance.now() + WAIT_MS;
    for (let pause = 50; ; pause = Math.min(2 * pause, 400)) {
      try {
        return await super.connect();
      } catch (error) {
        if (!isConnectionLimit(error) || performance.now() > deadline) throw error;
        this.narrow();
        // With connections of its own the pool waits for one of them.
        if (this.totalCount === 0) await sleep(pause);
      }
    }
  }

  private narrow(): void {
    this.options.max = Math.max(1, this.totalCount);
    clearTimeout(this.widening);
    this.widening = setTimeout(() => (this.options.max = this.size), NARROW_MS).unref();
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** @param keep connections that stay open unused: fewer round trips for the first request after a pause */
export function createPool(options: pg.PoolConfig & { max: number }, keep: number): pg.Pool {
  return new PatientPool({
    ...options,
    min: Math.min(keep, options.max - 1),
    idleTimeoutMillis: IDLE_MS,
    // A request must get a 503 within seconds when the database is away.
    connectionTimeoutMillis: 5_000,
    // Detects a vanished peer on an idle connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
}
