import { routes } from "#lib/accounts/route.ts";
import { live } from "#lib/base/http/health.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/livez", { GET: live }, "");
