import { routes } from "#lib/http/route.ts";
import { memberItem } from "#lib/members/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/{id}", memberItem);
