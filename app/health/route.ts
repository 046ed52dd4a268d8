import { routes } from "#lib/accounts/route.ts";
import { health } from "#lib/base/http/health.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/health", { GET: health }, "");
