import { disconnectDb } from "#lib/db.ts";
import { runRequest } from "./run-request.ts";

/* A dry run or an import of an uploaded file, in a process of its own: the file may be made to harm its reader. */

process.title = "sluice-import";
process.on("disconnect", () => process.exit(1));
await runRequest();
await disconnectDb();
process.exit(0);
