import type { Env } from "#lib/base/env.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { say, setupSentence, step } from "#lib/runtime/terminal.ts";

/**
 * The part of a start that needs the database, for platforms where only the build runs it: migrations, and the first
 * account or its one-time link. Previews of Vercel may share the variables of production, whose database is not theirs.
 */
export async function prepareDatabase(settings: Env): Promise<void> {
  const { VERCEL, VERCEL_ENV: deployment = "not set" } = settings;
  if (VERCEL !== undefined && deployment !== "production") {
    return say(
      `The database was not migrated, because VERCEL_ENV is ${deployment}: only production deployments do that.`,
    );
  }
  const { DIRECT_URL: url } = settings;
  if (url === undefined) return say("DATABASE_URL is not set, so there is nothing to migrate.");
  await step("Bringing the database up to date", () => migrate(url));
  // The Prisma client may have been generated only now.
  const { disconnectDb } = await import("#lib/base/db.ts");
  const { ensureSetup } = await import("#lib/accounts/ensure-setup.ts");
  try {
    const firstAccount = setupSentence(await ensureSetup());
    if (firstAccount !== null) say(firstAccount);
  } finally {
    await disconnectDb();
  }
}
