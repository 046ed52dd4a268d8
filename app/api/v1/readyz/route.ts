import { routes } from "#lib/accounts/route.ts";
import { ready } from "#lib/base/http/health.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/readyz", { GET: ready });
