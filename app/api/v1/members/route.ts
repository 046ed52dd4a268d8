import { routes } from "#lib/http/route.ts";
import { memberCollection } from "#lib/members/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members", memberCollection);
