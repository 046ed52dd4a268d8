import { createWriteStream } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { hashPassword } from "#lib/accounts/password.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { runningDatabaseUrl } from "#lib/runtime/postgres/access.ts";
import type { RunningMessage } from "#lib/runtime/supervisor/run-service.ts";
import { startSimulatedServer, type SimulatedServer } from "#tests/simulated-server/server.ts";
import {
  apiCaller,
  createSession,
  sessionCookies,
  throwOnError,
  type ApiCaller,
  type Session,
} from "./api-client.ts";
import { copyTemplate, query, type DatabaseServer } from "./database.ts";
import { startNode } from "./program.ts";
import { addSampleData, type SampleData } from "./sample-data.ts";

/*
 * The built application, alone (`startApp`) or with a database and a simulated server (`startInstallation`), an
 * administrator (`startWithAdmin`) and data for every page (`startWithSampleData`).
 */

export const ADMIN = { email: "admin@journeys.example", password: "correct horse battery staple" } as const;

export const HASHTAGS = ["cats", "photography"] as const;

export type App = {
  url: string;
  /** The supervisor; web server, worker and database are its children. */
  pid: number;
  setup_url: string | null;
  stop: () => Promise<void>;
};

export type AppOptions = {
  /** Absolute path; created when missing. */
  dataDir: string;
  /** The only settings: this process's environment is not inherited. */
  settings: Record<string, string>;
  /** Default: this process's output. */
  logFile?: string;
};

/**
 * Starts it as `npm start` does.
 *
 * @throws Error when it exits during startup
 */
export async function startApp(options: AppOptions): Promise<App> {
  try {
    return await launch(options);
  } catch (error) {
    // A connection of another test can take the free port before the web server listens on it.
    const isTaken = options.settings.PORT === undefined && /Port \d+ is taken/.test(String(error));
    if (isTaken) return launch(options);
    throw error;
  }
}

async function launch({ dataDir, settings, logFile }: AppOptions): Promise<App> {
  const given = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, ...settings };
  const isShown = logFile === undefined;
  const { child, output, ended } = startNode("lib/runtime/supervisor/start.ts", [], given, isShown);
  const folder = process.env.TEST_LOG_FOLDER;
  // The second one outlives the installation, for the search for credentials.
  const logs = [logFile, folder && path.join(folder, `server-${child.pid}.log`)]
    .filter((file) => file !== undefined && file !== "")
    .map((file) => createWriteStream(file ?? "", { flags: "a" }));
  for (const stream of [child.stdout, child.stderr])
    for (const log of logs) stream?.pipe(log, { end: false });
  const running = await new Promise<RunningMessage>((done, fail) => {
    child.once("message", (message: RunningMessage) => done(message));
    void ended.then(() => fail(new Error(`The application exited during startup:\n${output()}`)));
  });
  return {
    url: running.url,
    pid: child.pid ?? 0,
    setup_url: running.setup_url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export type Installation = {
  app: App;
  remote: SimulatedServer;
  dataDir: string;
  /** Of the owner, for changes without an endpoint. */
  databaseUrl: string;
  stop: () => Promise<void>;
};

export type InstallationOptions = {
  settings?: Record<string, string>;
  posts?: number;
  hashtags: readonly string[];
  seed?: string;
  /** By default it is deleted with the rest. */
  logFile?: string;
  /** Starts the embedded database instead of copying the template. */
  embeddedDatabase?: boolean;
};

/** Starts the built application with a new database and a simulated server. */
export async function startInstallation({
  settings = {},
  posts = 120,
  hashtags,
  seed = "installation",
  logFile,
  embeddedDatabase = false,
}: InstallationOptions): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-installation-"));
  // As root, the database runs under another account.
  await chmod(folder, 0o711);
  const remote = await startSimulatedServer({ posts, hashtags, seed });
  let app: App | undefined;
  let database: Awaited<ReturnType<typeof copyTemplate>> | undefined;
  const stop = async () => {
    await app?.stop();
    await database?.drop();
    await remote.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const dataDir = path.join(folder, "data");
    const server = process.env.E2E_DATABASE_SERVER;
    if (server && !embeddedDatabase) database = await copyTemplate(JSON.parse(server) as DatabaseServer);
    app = await startApp({
      dataDir,
      settings: {
        ALLOWED_PRIVATE_HOSTS: remote.origin,
        DEFAULT_INSTANCE: remote.host,
        LOG_LEVEL: "debug",
        ...(database === undefined ? {} : { DATABASE_URL: database.url, DIRECT_URL: database.url }),
        ...settings,
      },
      logFile: logFile ?? path.join(folder, "app.log"),
    });
    const databaseUrl = database?.url ?? (await runningDatabaseUrl(dataDir)) ?? "";
    return { app, remote, dataDir, databaseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type AdminInstallation = Installation & {
  session: Session;
  call: ApiCaller;
  signIn: (context: BrowserContext) => Promise<void>;
  open: (page: Page, path: string) => Promise<void>;
};

/** @param prepare adds data; its result is merged into the returned installation */
export async function startWithAdmin<Extra extends object>(
  options: InstallationOptions,
  prepare: (installation: AdminInstallation) => Promise<Extra>,
): Promise<AdminInstallation & Extra> {
  const started = await startInstallation({
    ...options,
    settings: {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...options.settings,
    },
  });
  try {
    const { url } = started.app;
    const session = await createSession(url, ADMIN.email, ADMIN.password);
    const signIn = (context: BrowserContext) => context.addCookies(sessionCookies(session, url));
    const installation: AdminInstallation = {
      ...started,
      session,
      call: throwOnError(apiCaller(url, { cookie: session.cookie, origin: url })),
      signIn,
      open: async (page, path) => {
        await signIn(page.context());
        await page.goto(new URL(path, url).href);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
      },
    };
    return { ...installation, ...(await prepare(installation)) };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

/** Creates a member as an admin does on the page Team, which has no API. @returns the id */
export async function storeMember(
  databaseUrl: string,
  member: { email: string; name: string; role: Role; password: string },
): Promise<number> {
  const rows = await query<{ id: number }>(
    databaseUrl,
    "INSERT INTO member (email, name, role, password_hash) VALUES ($1, $2, $3, $4) RETURNING id",
    [member.email, member.name, member.role, await hashPassword(member.password)],
  );
  return rows[0]?.id ?? 0;
}

export type SampleInstallation = AdminInstallation & { sample: SampleData };

export function startWithSampleData(): Promise<SampleInstallation> {
  return startWithAdmin({ hashtags: HASHTAGS }, async (installation) => ({
    sample: await addSampleData(installation, HASHTAGS),
  }));
}
