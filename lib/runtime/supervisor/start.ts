import { enableCompileCache } from "node:module";
import { COMPILE_CACHE } from "../compile-cache.ts";

/*
 * `npm start`: from a fresh clone to a running service.
 */

// First of all, since only what is loaded after it gains from it; hence the imports below.
enableCompileCache(COMPILE_CACHE);
const { takeNoWords } = await import("../cli/command-line.ts");
const { loadSettings } = await import("../settings.ts");
takeNoWords();
const settings = loadSettings();
const { runService } = await import("./run-service.ts");
await runService(settings, { dev: false });
