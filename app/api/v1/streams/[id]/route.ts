import { routes } from "#lib/accounts/route.ts";
import { streamItem } from "#lib/collect/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/streams/{id}", streamItem);
