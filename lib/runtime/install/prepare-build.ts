import { loadSettings } from "#lib/runtime/settings.ts";
import { explainEnd, OperatorError, say, step } from "#lib/runtime/terminal.ts";

/* `npm run build`, for images and tests. --migrate is for platforms where only the build can migrate. */

const wantsMigration = process.argv.includes("--migrate");
// Images are built without settings.
const settings = wantsMigration ? loadSettings() : null;
const { build, isBuilt } = await import("./build.ts");
const { prepareDatabase } = await import("./prepare-database.ts");
const { findPostgres } = await import("#lib/runtime/postgres/place.ts");
const { ensurePrismaClient } = await import("./prisma-client.ts");

try {
  await ensurePrismaClient();
  // At run time the user of the service may not be allowed to write into the packages. This platform may have none.
  await findPostgres().catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
  });
  if (settings !== null) await prepareDatabase(settings);
  if (await isBuilt()) say("The build is up to date.");
  else await step("Building the application", build);
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}
