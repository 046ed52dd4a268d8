import { loadSettings } from "./load-settings.ts";

/*
 * `npm start`: from a fresh clone to a running service.
 */

const settings = loadSettings();
const { runService } = await import("./run-service.ts");
await runService(settings, { dev: false });
