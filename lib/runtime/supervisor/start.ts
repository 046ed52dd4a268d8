import { loadSettings } from "#lib/runtime/settings.ts";

/* `npm start`; with --dev `npm run dev`: the service with Next's development server. */

const [word, ...others] = process.argv.slice(2);
const dev = word === "--dev";
if (others.length > 0 || !(dev || word === undefined)) {
  console.error("Settings are variables, as in PORT=8080, or lines in .env; .env.example lists them all.");
  process.exit(1);
}
const settings = loadSettings();
// The log reads the settings when it is loaded.
const { runService } = await import("./run-service.ts");
await runService(settings, { dev });
