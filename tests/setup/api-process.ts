import { startApiServer } from "./api-server.ts";

/* A second process of the application: serves the route handlers and sends its address to its parent. */

const { url } = await startApiServer();
process.send?.(url);
process.on("disconnect", () => process.exit());
