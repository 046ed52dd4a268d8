import { routes } from "#lib/http/route.ts";
import { streamRuns } from "#lib/streams/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/streams/{id}/runs", streamRuns);
