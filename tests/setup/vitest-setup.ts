import { afterAll, afterEach, beforeEach, inject } from "vitest";

/*
 * Runs before each test file. Unexpected console output fails a test; mock the console where it is expected.
 * Integration tests get a database before any module of the file is loaded.
 */

process.env.LOG_LEVEL ??= "silent";

const output: string[] = [];

beforeEach(() => {
  output.length = 0;
  for (const level of ["error", "warn"] as const) {
    console[level] = (...parts: unknown[]) => {
      output.push(`console.${level}: ${parts.map(asText).join(" ")}`);
    };
  }
});

afterEach(() => {
  if (output.length > 0) throw new Error(`Unexpected console output:\n${output.join("\n")}`);
});

function asText(part: unknown): string {
  return part instanceof Error ? (part.stack ?? part.message) : String(part);
}

// Unit tests have no server.
const server = inject("databaseServer") as ReturnType<typeof inject<"databaseServer">> | undefined;
if (server !== undefined) {
  const { copyTemplate } = await import("./database.ts");
  const { url, drop } = await copyTemplate(server);
  process.env.DATABASE_URL = url;
  delete process.env.DIRECT_URL;
  process.env.AUTH_SECRET = "a secret for tests only, long enough to be one";
  process.env.ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
  process.env.PUBLIC_URL = "http://localhost:3000";
  const { noteSettings } = await import("./credentials.ts");
  noteSettings(process.env, ["DATABASE_URL", "AUTH_SECRET", "ENCRYPTION_KEY"]);

  afterAll(async () => {
    const { disconnectDb } = await import("#lib/db.ts");
    await disconnectDb();
    await drop();
  });
}
