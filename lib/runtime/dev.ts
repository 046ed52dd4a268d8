import { loadSettings } from "./load-settings.ts";

/*
 * `npm run dev`: the same service, with Next compiling on demand and reloading what changes.
 */

const settings = loadSettings();
const { runService } = await import("./run-service.ts");
await runService(settings, { dev: true });
