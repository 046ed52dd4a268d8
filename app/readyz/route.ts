import { ready } from "#lib/http/health-operations.ts";
import { routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/readyz", { GET: ready }, "");
