import { routes } from "#lib/accounts/route.ts";
import { streamRuns } from "#lib/collect/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/streams/{id}/runs", streamRuns);
