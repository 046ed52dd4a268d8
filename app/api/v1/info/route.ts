import { routes } from "#lib/accounts/route.ts";
import { info } from "#lib/base/http/health.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/info", { GET: info });
