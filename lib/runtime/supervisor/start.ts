import { cacheCompiledModules } from "#lib/runtime/compile-cache.ts";

// Only modules loaded later are cached, hence the dynamic imports.
cacheCompiledModules();
const { rejectArguments } = await import("#lib/runtime/cli/start-arguments.ts");
const { loadSettings } = await import("#lib/runtime/settings.ts");
rejectArguments();
const settings = loadSettings();
const { runService } = await import("./run-service.ts");
await runService(settings, { dev: false });
